// expect: never said
int right;
