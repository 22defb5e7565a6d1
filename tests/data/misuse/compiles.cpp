// expect: never printed
int right;
