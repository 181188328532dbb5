// What the kernels of the grid share.

@group(0) @binding(0) var<uniform> search: Search;
@group(0) @binding(1) var<storage, read_write> grid: Grid;
@group(0) @binding(2) var<storage, read_write> boxes: array<Box>;
@group(0) @binding(3) var<storage, read_write> cells: array<atomic<u32>>;
@group(0) @binding(4) var<storage, read_write> filed: array<Filed>;
