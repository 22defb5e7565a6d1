// expect: anything
static_assert(sizeof(int) == 0, "anything");
