#include "records.h"

#include "cli.h"

bool records_read(records *r, const char *option, const char *list, const carom_scene_file *file)
{
    carom_case_error error;
    return carom_records_read(r, option + 2, list, file, &error) || (complain_error(NULL, &error), false);
}
