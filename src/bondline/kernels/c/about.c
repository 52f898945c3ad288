/* What the library says of itself. */

const char *bondline_built_with(void)
{
#ifdef __clang__
    return "clang " __clang_version__;
#elif defined(__VERSION__)
    return "gcc " __VERSION__;
#else
    return "an unknown compiler";
#endif
}
