/* carom_mex(name, document, options): a request of texts for Octave and MATLAB; carom.m is what one calls.
 *
 *     mkoctfile --mex carom_mex.c -lcarom-io -lcarom */
#include "mex.h"

#include "carom/request.h"

/* A text of the caller, or null where there is none. */
static char *text_at(int count, const mxArray *in[], int k)
{
    if (k >= count || mxIsEmpty(in[k]))
        return NULL;
    if (!mxIsChar(in[k]))
        mexErrMsgIdAndTxt("carom:text", "carom_mex takes texts: name, document, options");
    return mxArrayToString(in[k]);
}

void mexFunction(int out_count, mxArray *out[], int count, const mxArray *in[])
{
    (void)out_count;
    int refused = 0;
    char *name = text_at(count, in, 0), *document = text_at(count, in, 1), *options = text_at(count, in, 2);
    if (!name)
        mexErrMsgIdAndTxt("carom:name", "carom_mex needs the name of a request");
    char *answer = carom_request_text(name, document, options, &refused);
    out[0] = mxCreateString(answer ? answer : "out of memory");
    bool failed = refused || !answer;
    carom_request_text_free(answer);
    mxFree(name);
    mxFree(document);
    mxFree(options);
    if (failed)
        mexErrMsgIdAndTxt("carom:refused", "%s", mxArrayToString(out[0]));
}
