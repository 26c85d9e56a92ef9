#include <libxml/xmlversion.h>

/* Debian's libxml2 uses ICU's types in a structure that iapkg handles only by pointer. Foundation has its own ICU, and a
   module that imports both does not compile. */
#undef LIBXML_ICU_ENABLED

#include <libxml/parser.h>
#include <libxml/tree.h>
#include <libxml/xmlerror.h>
