// A set of nodes as bits, with a second level of bits that says which 64-bit words hold any: walked in ascending order
// in time that grows with the members.

/** Bytes that a set over `nodes` nodes needs. */
export function bitBytes(nodes: i32): usize {
  return summaryAt(nodes) + (((<usize>nodes + 4095) >> 12) << 3);
}

@inline
function summaryAt(nodes: i32): usize {
  return ((<usize>nodes + 63) >> 6) << 3;
}

@inline
export function addBit(bits: usize, nodes: i32, node: u32): void {
  const word = bits + ((<usize>node >> 6) << 3);
  store<u64>(word, load<u64>(word) | ((<u64>1) << (node & 63)));
  const above = bits + summaryAt(nodes) + ((<usize>node >> 12) << 3);
  store<u64>(above, load<u64>(above) | ((<u64>1) << ((node >> 6) & 63)));
}

/** Empties the set and writes its members, ascending, to `list`; returns how many there were. */
export function takeBits(bits: usize, nodes: i32, list: usize): i32 {
  const summary = bits + summaryAt(nodes);
  let out = list;
  for (let above = summary; above < bits + bitBytes(nodes); above += 8) {
    let words = load<u64>(above);
    if (words === 0) continue;
    store<u64>(above, 0);
    const first = (above - summary) << 3;
    while (words !== 0) {
      const word = first + <usize>ctz(words);
      words &= words - 1;
      let members = load<u64>(bits + (word << 3));
      store<u64>(bits + (word << 3), 0);
      while (members !== 0) {
        store<u32>(out, <u32>((word << 6) + <usize>ctz(members)));
        members &= members - 1;
        out += 4;
      }
    }
  }
  return <i32>((out - list) >> 2);
}
