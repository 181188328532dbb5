// Contacts of edges with bodies as they were found, for those who only read or rank them.

struct Hits {
  count: vec4u,
  rows: array<Hit>,
}
