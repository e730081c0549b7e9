#include "core/corpus/help_page.h"

#include <libxml/HTMLparser.h>
#include <libxml/xmlerror.h>
#include <string.h>

#include "core/base/buffer.h"
#include "core/base/file.h"
#include "core/text/tokenize.h"
#include "core/text/utf8.h"

struct reader {
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

/* Notes for developers at the end of each page. */
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

/* Variants are hidden until a script chooses one; the default variant is the one without a class.
 */
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

static void visit_paragraph(struct reader *reader, xmlNode *node)
{
    xmlChar *id = xmlGetProp(node, (const xmlChar *)"id");
    buffer_clear(&reader->text);
    buffer_clear(&reader->squeezed);
    add_text(&reader->text, node);
    utf8_require(reader->path, 1, reader->text.text, reader->text.bytes);
    tokenize_squeeze(reader->text.text, reader->text.bytes, &reader->squeezed);
    if (id && *id)
        reader->visit(reader->context, (const char *)id, reader->squeezed.text,
                      reader->squeezed.bytes);
    xmlFree(id);
}

static void walk(struct reader *reader, xmlNode *parent)
{
    for (xmlNode *node = parent->children; node; node = node->next) {
        if (node->type != XML_ELEMENT_NODE || is_debug(node)) continue;
        if (is_paragraph(node))
            visit_paragraph(reader, node);
        else
            walk(reader, node);
    }
}

void help_page_read(const char *path, help_visit *visit, void *context)
{
    struct arena arena = {0};
    struct reader reader = {.path = path, .visit = visit, .context = context};
    size_t bytes;
    const char *html = file_read(&arena, path, 1 << 26, &bytes);
    htmlDocPtr page = htmlReadMemory(html, (int)bytes, path, "UTF-8",
                                     HTML_PARSE_RECOVER | HTML_PARSE_NOERROR |
                                         HTML_PARSE_NOWARNING | HTML_PARSE_NONET);
    xmlResetLastError(); /* what it thinks of the page is not kept */
    if (!page) die("%s: libxml2 cannot read this as HTML", path);
    walk(&reader, (xmlNode *)page);
    xmlFreeDoc(page);
    buffer_free(&reader.text);
    buffer_free(&reader.squeezed);
    arena_free(&arena);
}
