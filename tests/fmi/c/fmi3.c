/* FMI 3.0 around a model: what a co-simulation needs, and get and set of its state. */
#include "fmi3FunctionTypes.h"

#define REFUSED(name) fmi3Status name(void) { return fmi3Error; }
#define EITHER(kind) REFUSED(fmi3Get##kind) REFUSED(fmi3Set##kind)

const char *fmi3GetVersion(void) { return "3.0"; }
fmi3Instance fmi3InstantiateCoSimulation(fmi3String name, fmi3String token, fmi3String where, fmi3Boolean visible,
    fmi3Boolean log, fmi3Boolean events, fmi3Boolean early, const fmi3ValueReference vr[], size_t n,
    fmi3InstanceEnvironment e, fmi3LogMessageCallback l, fmi3IntermediateUpdateCallback u)
{
    State *s = calloc(1, sizeof(State));
    if (strcmp(token, TOKEN)) return NULL;
    if (ONCE && living++) return NULL;
    begin(s);
    return s;
}
void fmi3FreeInstance(fmi3Instance c) { free(c); living--; }
fmi3Status fmi3SetDebugLogging(void) { return fmi3OK; }
fmi3Status fmi3EnterInitializationMode(fmi3Instance c, fmi3Boolean d, fmi3Float64 tol, fmi3Float64 t0, fmi3Boolean e, fmi3Float64 t1)
{
    ((State *)c)->t = t0;
    return fmi3OK;
}
fmi3Status fmi3ExitInitializationMode(fmi3Instance c) { outputs(c); return fmi3OK; }
fmi3Status fmi3Terminate(fmi3Instance c) { return fmi3OK; }
fmi3Status fmi3Reset(fmi3Instance c) { memset(c, 0, sizeof(State)); begin(c); return fmi3OK; }

#ifndef SPAN
#define SPAN(reference) 1 /* elements of the variable that starts there */
#endif
/* FMI: arrays as a whole, one after the other */
static fmi3Status each(State *s, const fmi3ValueReference vr[], size_t n, double *out, const double *in, size_t m)
{
    size_t at = 0;
    for (size_t i = 0; i < n; i++) at += SPAN(vr[i]);
    if (at != m) return fmi3Error;
    at = 0;
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < SPAN(vr[i]); k++, at++)
            if (out) out[at] = s->v[vr[i] + k]; else s->v[vr[i] + k] = in[at];
    return fmi3OK;
}
fmi3Status fmi3GetFloat64(fmi3Instance c, const fmi3ValueReference vr[], size_t n, fmi3Float64 v[], size_t m)
{
    outputs(c);
    return each(c, vr, n, v, NULL, m);
}
fmi3Status fmi3SetFloat64(fmi3Instance c, const fmi3ValueReference vr[], size_t n, const fmi3Float64 v[], size_t m)
{
    return each(c, vr, n, NULL, v, m);
}
fmi3Status fmi3GetFMUState(fmi3Instance c, fmi3FMUState *s)
{
    if (!*s) *s = malloc(sizeof(State));
    memcpy(*s, c, sizeof(State));
    return fmi3OK;
}
fmi3Status fmi3SetFMUState(fmi3Instance c, fmi3FMUState s) { memcpy(c, s, sizeof(State)); return fmi3OK; }
fmi3Status fmi3FreeFMUState(fmi3Instance c, fmi3FMUState *s) { free(*s); *s = NULL; return fmi3OK; }
fmi3Status fmi3SerializedFMUStateSize(fmi3Instance c, fmi3FMUState s, size_t *n) { *n = sizeof(State); return fmi3OK; }
fmi3Status fmi3SerializeFMUState(fmi3Instance c, fmi3FMUState s, fmi3Byte b[], size_t n) { memcpy(b, s, n); return fmi3OK; }
fmi3Status fmi3DeserializeFMUState(fmi3Instance c, const fmi3Byte b[], size_t n, fmi3FMUState *s)
{
    *s = malloc(sizeof(State));
    memcpy(*s, b, n);
    return fmi3OK;
}
fmi3Status fmi3DoStep(fmi3Instance c, fmi3Float64 t, fmi3Float64 h, fmi3Boolean last, fmi3Boolean *event, fmi3Boolean *over, fmi3Boolean *early, fmi3Float64 *until)
{
    go(c, t, h);
    *event = *over = *early = 0;
    *until = t + h;
    return fmi3OK;
}
REFUSED(fmi3InstantiateModelExchange) REFUSED(fmi3InstantiateScheduledExecution)
REFUSED(fmi3EnterEventMode) REFUSED(fmi3EnterConfigurationMode) REFUSED(fmi3ExitConfigurationMode)
EITHER(Float32) EITHER(Int8) EITHER(UInt8) EITHER(Int16) EITHER(UInt16) EITHER(Int32) EITHER(UInt32)
EITHER(Int64) EITHER(UInt64) EITHER(Boolean) EITHER(String) EITHER(Binary) EITHER(Clock)
EITHER(IntervalDecimal) EITHER(IntervalFraction) EITHER(ShiftDecimal) EITHER(ShiftFraction)
REFUSED(fmi3GetNumberOfVariableDependencies) REFUSED(fmi3GetVariableDependencies)
REFUSED(fmi3GetDirectionalDerivative) REFUSED(fmi3GetAdjointDerivative)
REFUSED(fmi3EvaluateDiscreteStates) REFUSED(fmi3UpdateDiscreteStates) REFUSED(fmi3EnterContinuousTimeMode)
REFUSED(fmi3CompletedIntegratorStep) REFUSED(fmi3SetTime) EITHER(ContinuousStates)
REFUSED(fmi3GetContinuousStateDerivatives) REFUSED(fmi3GetEventIndicators)
REFUSED(fmi3GetNominalsOfContinuousStates) REFUSED(fmi3GetNumberOfEventIndicators)
REFUSED(fmi3GetNumberOfContinuousStates) REFUSED(fmi3EnterStepMode) REFUSED(fmi3GetOutputDerivatives)
REFUSED(fmi3ActivateModelPartition)
