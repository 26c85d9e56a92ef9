#include <libxml/xmlversion.h>

/* Debian's libxml2 names ICU's types in a structure of which we only ever hold pointers. Foundation brings an ICU of
   its own, and a module that sees both does not compile. */
#undef LIBXML_ICU_ENABLED

#include <libxml/parser.h>
#include <libxml/tree.h>
#include <libxml/xmlerror.h>
