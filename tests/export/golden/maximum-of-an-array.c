refused: acsl cannot say arrays: arrays of C are passed by reference and have no length of their own, and those of this language are values
