// expect: a rule needs a name
int right;
#ifdef HLOLINT_MISUSE
static_assert(sizeof(int) == 0, "another message");
#endif
