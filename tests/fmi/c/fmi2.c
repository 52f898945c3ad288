/* FMI 2.0 around a model: what a co-simulation needs, and get and set of its state.
   FORGETFUL: setting a state does nothing. */
#include "fmi2Functions.h"

const char *fmi2GetTypesPlatform(void) { return fmi2TypesPlatform; }
const char *fmi2GetVersion(void) { return fmi2Version; }

fmi2Component fmi2Instantiate(fmi2String name, fmi2Type type, fmi2String guid, fmi2String where,
                              const fmi2CallbackFunctions *f, fmi2Boolean visible, fmi2Boolean log)
{
    State *s = calloc(1, sizeof(State));
    if (strcmp(guid, TOKEN)) return NULL;
    if (ONCE && living++) return NULL;
    begin(s);
    return s;
}
void fmi2FreeInstance(fmi2Component c) { free(c); living--; }
fmi2Status fmi2SetDebugLogging(fmi2Component c, fmi2Boolean on, size_t n, const fmi2String k[]) { return fmi2OK; }
fmi2Status fmi2SetupExperiment(fmi2Component c, fmi2Boolean d, fmi2Real tol, fmi2Real t0, fmi2Boolean e, fmi2Real t1)
{
    ((State *)c)->t = t0;
    return fmi2OK;
}
fmi2Status fmi2EnterInitializationMode(fmi2Component c) { return fmi2OK; }
fmi2Status fmi2ExitInitializationMode(fmi2Component c) { outputs(c); return fmi2OK; }
fmi2Status fmi2Terminate(fmi2Component c) { return fmi2OK; }
fmi2Status fmi2Reset(fmi2Component c) { memset(c, 0, sizeof(State)); begin(c); return fmi2OK; }

fmi2Status fmi2GetReal(fmi2Component c, const fmi2ValueReference vr[], size_t n, fmi2Real v[])
{
    outputs(c);
    for (size_t i = 0; i < n; i++) v[i] = ((State *)c)->v[vr[i]];
    return fmi2OK;
}
fmi2Status fmi2SetReal(fmi2Component c, const fmi2ValueReference vr[], size_t n, const fmi2Real v[])
{
    for (size_t i = 0; i < n; i++) ((State *)c)->v[vr[i]] = v[i];
    return fmi2OK;
}
#define NONE(kind, type)                                                                                           \
    fmi2Status fmi2Get##kind(fmi2Component c, const fmi2ValueReference vr[], size_t n, type v[]) { return fmi2Error; } \
    fmi2Status fmi2Set##kind(fmi2Component c, const fmi2ValueReference vr[], size_t n, const type v[]) { return fmi2Error; }
NONE(Integer, fmi2Integer)
NONE(Boolean, fmi2Boolean)
NONE(String, fmi2String)

fmi2Status fmi2GetFMUstate(fmi2Component c, fmi2FMUstate *s)
{
    if (!*s) *s = malloc(sizeof(State));
    memcpy(*s, c, sizeof(State));
    return fmi2OK;
}
fmi2Status fmi2SetFMUstate(fmi2Component c, fmi2FMUstate s)
{
#ifndef FORGETFUL
    memcpy(c, s, sizeof(State));
#endif
    return fmi2OK;
}
fmi2Status fmi2FreeFMUstate(fmi2Component c, fmi2FMUstate *s) { free(*s); *s = NULL; return fmi2OK; }
fmi2Status fmi2SerializedFMUstateSize(fmi2Component c, fmi2FMUstate s, size_t *n) { *n = sizeof(State); return fmi2OK; }
fmi2Status fmi2SerializeFMUstate(fmi2Component c, fmi2FMUstate s, fmi2Byte b[], size_t n) { memcpy(b, s, n); return fmi2OK; }
fmi2Status fmi2DeSerializeFMUstate(fmi2Component c, const fmi2Byte b[], size_t n, fmi2FMUstate *s)
{
    *s = malloc(sizeof(State));
    memcpy(*s, b, n);
    return fmi2OK;
}
/* the outputs at an instant are affine in the inputs */
fmi2Status fmi2GetDirectionalDerivative(fmi2Component c, const fmi2ValueReference z[], size_t nz,
                                        const fmi2ValueReference v[], size_t nv, const fmi2Real dv[], fmi2Real dz[])
{
    State was = *(State *)c, with = was;
    outputs(&was);
    for (size_t i = 0; i < nv; i++) with.v[v[i]] += dv[i];
    outputs(&with);
    for (size_t i = 0; i < nz; i++) dz[i] = with.v[z[i]] - was.v[z[i]];
    return fmi2OK;
}
fmi2Status fmi2SetRealInputDerivatives(fmi2Component c, const fmi2ValueReference vr[], size_t n, const fmi2Integer k[], const fmi2Real v[]) { return fmi2Error; }
fmi2Status fmi2GetRealOutputDerivatives(fmi2Component c, const fmi2ValueReference vr[], size_t n, const fmi2Integer k[], fmi2Real v[]) { return fmi2Error; }
fmi2Status fmi2DoStep(fmi2Component c, fmi2Real t, fmi2Real h, fmi2Boolean last)
{
#ifdef MISBEHAVE
    MISBEHAVE;
#endif
    go(c, t, h);
    return fmi2OK;
}
fmi2Status fmi2CancelStep(fmi2Component c) { return fmi2Error; }
fmi2Status fmi2GetStatus(fmi2Component c, const fmi2StatusKind k, fmi2Status *v) { return fmi2Discard; }
fmi2Status fmi2GetRealStatus(fmi2Component c, const fmi2StatusKind k, fmi2Real *v) { return fmi2Discard; }
fmi2Status fmi2GetIntegerStatus(fmi2Component c, const fmi2StatusKind k, fmi2Integer *v) { return fmi2Discard; }
fmi2Status fmi2GetBooleanStatus(fmi2Component c, const fmi2StatusKind k, fmi2Boolean *v) { return fmi2Discard; }
fmi2Status fmi2GetStringStatus(fmi2Component c, const fmi2StatusKind k, fmi2String *v) { return fmi2Discard; }
