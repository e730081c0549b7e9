/* Parses help pages with libxml2, and visits the tree in order. The library loads ICU and
 * libstdc++, which takes 3 ms. So it is opened on first use, not at every start of the program. */
#include "core/corpus/help_page.h"

#include <dlfcn.h>
#include <libxml/HTMLparser.h>
#include <libxml/xmlerror.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/buffer.h"
#include "core/base/file.h"
#include "core/text/tokenize.h"
#include "core/text/utf8.h"

#define LIBRARY "libxml2.so.2"

static struct {
    __typeof__(htmlReadMemory) *read;
    __typeof__(xmlHasProp) *has;
    __typeof__(xmlGetProp) *get;
    xmlFreeFunc release;
    __typeof__(xmlFreeDoc) *free_page;
    __typeof__(xmlResetLastError) *forget;
    int version; /* version of the library, such as 20914 */
} xml;

/* Writes the address of a function or variable of the library to *address. Returns false if there
 * is none. */
static bool find(void *library, const char *name, void *address)
{
    void *found = dlsym(library, name);
    memcpy(address, &found, sizeof found);
    return found;
}

/* Opens the library unless it is open. Returns false on failure; dlerror() is then the reason.
 */
static bool open_library(void)
{
    static void *library;
    const char *const *version;
    const xmlFreeFunc *release;
    if (library) return true;
    library = dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL);
    if (!library || !find(library, "htmlReadMemory", &xml.read) ||
        !find(library, "xmlHasProp", &xml.has) || !find(library, "xmlGetProp", &xml.get) ||
        !find(library, "xmlFreeDoc", &xml.free_page) ||
        !find(library, "xmlResetLastError", &xml.forget) || !find(library, "xmlFree", &release) ||
        !find(library, "xmlParserVersion", &version))
        return (library = NULL);
    xml.release = *release;
    xml.version = atoi(*version);
    return true;
}

int help_page_parser(void)
{
    return open_library() ? xml.version : 0;
}

struct page_walk {
    const char *path;
    help_visit *visit;
    void *context;
    struct buffer text, squeezed;
};

static bool is_named(const xmlNode *node, const char *name)
{
    return !strcmp((const char *)node->name, name);
}

static bool has_attribute(xmlNode *node, const char *name)
{
    return xml.has(node, (const xmlChar *)name) != NULL;
}

/* True for the notes for developers at the end of each page. */
static bool is_debug(xmlNode *node)
{
    xmlChar *class = xml.get(node, (const xmlChar *)"class");
    bool debug = class && !strcmp((const char *)class, "debug");
    xml.release(class);
    return debug;
}

static bool is_paragraph(xmlNode *node)
{
    const char *name = (const char *)node->name;
    bool heading = name[0] == 'h' && name[1] >= '1' && name[1] <= '6' && !name[2];
    return (heading || !strcmp(name, "p")) && has_attribute(node, "id");
}

/* True for variants of a text, which are hidden until a script shows one. The default variant has
 * no class. */
static bool is_variant(xmlNode *node)
{
    return has_attribute(node, "hidden") && has_attribute(node, "class");
}

static void add_text(struct buffer *text, xmlNode *parent)
{
    for (xmlNode *node = parent->children; node; node = node->next) {
        if (node->type == XML_TEXT_NODE && node->content) {
            buffer_add(text, (const char *)node->content, strlen((const char *)node->content));
        } else if (node->type == XML_ELEMENT_NODE && is_named(node, "br")) {
            buffer_add_byte(text, ' ');
        } else if (node->type == XML_ELEMENT_NODE && !is_variant(node) &&
                   !is_named(node, "script") && !is_named(node, "style")) {
            add_text(text, node);
        }
    }
}

static void visit_paragraph(struct page_walk *walk, xmlNode *node)
{
    xmlChar *id = xml.get(node, (const xmlChar *)"id");
    buffer_clear(&walk->text);
    buffer_clear(&walk->squeezed);
    add_text(&walk->text, node);
    utf8_require(walk->path, 1, walk->text.text, walk->text.bytes);
    tokenize_squeeze(walk->text.text, walk->text.bytes, &walk->squeezed);
    if (id && *id)
        walk->visit(walk->context, (const char *)id, walk->squeezed.text, walk->squeezed.bytes);
    xml.release(id);
}

static void walk_below(struct page_walk *walk, xmlNode *parent)
{
    for (xmlNode *node = parent->children; node; node = node->next) {
        if (node->type != XML_ELEMENT_NODE || is_debug(node)) continue;
        if (is_paragraph(node))
            visit_paragraph(walk, node);
        else
            walk_below(walk, node);
    }
}

void help_page_read(const char *path, help_visit *visit, void *context)
{
    SCOPED(arena_free) struct arena arena = {0};
    struct page_walk walk = {.path = path, .visit = visit, .context = context};
    size_t bytes;
    const char *html = file_read(&arena, path, 1 << 26, &bytes);
    if (!open_library()) die("cannot load libxml2, which reads HTML pages: %s", dlerror());
    htmlDocPtr page =
        xml.read(html, (int)bytes, path, "UTF-8",
                 HTML_PARSE_RECOVER | HTML_PARSE_NOERROR | HTML_PARSE_NOWARNING | HTML_PARSE_NONET);
    xml.forget(); /* deletes the library's messages about the page */
    if (!page) die("%s: libxml2 cannot read this file as HTML", path);
    walk_below(&walk, (xmlNode *)page);
    xml.free_page(page);
    buffer_free(&walk.text);
    buffer_free(&walk.squeezed);
}
