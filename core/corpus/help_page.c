/* Parses help pages with libxml2, and visits the tree in order. */
#include "core/corpus/help_page.h"

#include <libxml/HTMLparser.h>
#include <libxml/xmlerror.h>
#include <string.h>

#include "core/base/buffer.h"
#include "core/base/file.h"
#include "core/text/tokenize.h"
#include "core/text/utf8.h"

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
    return xmlHasProp(node, (const xmlChar *)name) != NULL;
}

/* True for the notes for developers at the end of each page. */
static bool is_debug(xmlNode *node)
{
    xmlChar *class = xmlGetProp(node, (const xmlChar *)"class");
    bool debug = class && !strcmp((const char *)class, "debug");
    xmlFree(class);
    return debug;
}

static bool is_paragraph(xmlNode *node)
{
    const char *name = (const char *)node->name;
    bool heading = name[0] == 'h' && name[1] >= '1' && name[1] <= '6' && !name[2];
    return (heading || !strcmp(name, "p")) && has_attribute(node, "id");
}

/* True for variants: they are hidden until a script chooses one. The default variant has no
 * class. */
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
    xmlChar *id = xmlGetProp(node, (const xmlChar *)"id");
    buffer_clear(&walk->text);
    buffer_clear(&walk->squeezed);
    add_text(&walk->text, node);
    utf8_require(walk->path, 1, walk->text.text, walk->text.bytes);
    tokenize_squeeze(walk->text.text, walk->text.bytes, &walk->squeezed);
    if (id && *id)
        walk->visit(walk->context, (const char *)id, walk->squeezed.text, walk->squeezed.bytes);
    xmlFree(id);
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
    htmlDocPtr page = htmlReadMemory(html, (int)bytes, path, "UTF-8",
                                     HTML_PARSE_RECOVER | HTML_PARSE_NOERROR |
                                         HTML_PARSE_NOWARNING | HTML_PARSE_NONET);
    xmlResetLastError(); /* its messages about the page are not kept */
    if (!page) die("%s: libxml2 cannot read this as HTML", path);
    walk_below(&walk, (xmlNode *)page);
    xmlFreeDoc(page);
    buffer_free(&walk.text);
    buffer_free(&walk.squeezed);
}
