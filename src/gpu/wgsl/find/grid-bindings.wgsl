// What the kernels of the grid share.

@writes(grid, boxes, atomic cells, filed)
