/* The page that replays a run, which is part of the program. */
#include "cli.h"
#include "output.h"
#include "sim_record.h"

#define UNWRAP(...)                __VA_ARGS__
#define EXAMPLE(name, file, bytes) static const char page[] = {UNWRAP bytes};
#include "replay_data.def"
#undef EXAMPLE

bool sim_page_is_known(void)
{
    return page[0] != 0;
}

bool sim_page_write(const char *path, const sim_record *r, const sim_run *run)
{
    output_file f = output_open(path);
    if (!f.file)
        return false;
    f.whole_when_stopped = true;
    bool fine = carom_run_record_page(r, run, page, f.file);
    return output_close(&f, true) && fine;
}
