/* The page of the lab shows no saltation matrices: it reads cases that ask for one, and leaves them out. */
#include "io/case/reader.h"

bool read_saltation(const reader *r, const json_t *document, carom_case *c)
{
    (void)r;
    (void)document;
    (void)c;
    return true;
}

carom_status saltation_solve(const carom_case *c, const carom_rule *rule, carom_result *result)
{
    (void)c;
    (void)rule;
    (void)result;
    return CAROM_STATUS_NO_DERIVATIVE;
}
