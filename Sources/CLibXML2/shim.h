#include <libxml/parser.h>
#include <libxml/parserInternals.h>
#include <libxml/tree.h>
#include <libxml/xmlIO.h>
#include <libxml/xmlerror.h>

/* xmlFree is a global function pointer, which Swift 6 refuses to read as shared mutable state. */
static inline void iapkg_xml_free(void *pointer) { xmlFree(pointer); }
