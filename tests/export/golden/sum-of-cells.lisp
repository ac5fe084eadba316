refused: arrays are not known here yet
