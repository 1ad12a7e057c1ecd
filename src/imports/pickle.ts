/**
 * What a pickle of Python's describes. Nothing of it is ever executed: an object of a class, or what a function would have
 * returned, is the name with what would have been given to it.
 */
export type Pickled =
  | null
  | boolean
  | number
  | bigint
  | string
  | Uint8Array
  | Pickled[]
  | Map<Pickled, Pickled>
  | PickledClass
  | PickledObject;

export class PickledClass {
  constructor(readonly name: string) {}
}

/** An object: its class or function, what that was called with, what it was given afterwards. */
export class PickledObject {
  state: Pickled = null;
  readonly members = new Map<Pickled, Pickled>();
  readonly elements: Pickled[] = [];

  constructor(
    /** `module.name`; empty for what lies outside of the pickle, such as the numbers of a tensor. */
    readonly name: string,
    readonly given: Pickled,
  ) {}
}

/** What a pickle may make: opcodes, and for each thing with memory of its own as much as so many of them. */
const MOST_WORK = 1 << 22;
const WORK_OF_A_THING = 16;
const LONGEST_NAME = 1_000;

const MARK = Symbol('mark');
type Slot = Pickled | typeof MARK;

/**
 * Reads a pickle of protocol 2 to 5 from its start to its STOP, whatever follows. Where it is torn, or makes millions of things,
 * `value` is missing and `seen` still has the objects before that, in their order.
 */
export function readPickle(bytes: Buffer): { value?: Pickled; seen: PickledObject[] } {
  const machine = new PickleMachine(bytes);
  try {
    return { value: machine.run(), seen: machine.seen };
  } catch (error) {
    if (!(error instanceof RangeError || error instanceof TypeError)) throw error;
    return { seen: machine.seen };
  }
}

/** Python's Lib/pickle.py and Lib/pickletools.py, without the opcodes of protocol 0 that later ones have replaced. */
class PickleMachine {
  readonly seen: PickledObject[] = [];
  private readonly stack: Slot[] = [];
  private readonly memo = new Map<number, Pickled>();
  private at = 0;
  private work = 0;

  constructor(private readonly bytes: Buffer) {}

  run(): Pickled {
    for (;;) {
      const opcode = this.number(1);
      this.count(1);
      if (opcode === 0x2e) return this.pop();
      if (!this.constant(opcode) && !this.collection(opcode) && !this.object(opcode) && !this.memory(opcode)) {
        throw new TypeError(`there is no opcode ${opcode}`);
      }
    }
  }

  /** A few bytes of a pickle can make a hundred times as many in memory. */
  private count(work: number): void {
    this.work += work;
    if (this.work > MOST_WORK) throw new TypeError('the pickle makes too many things');
  }

  /** A whole number of up to 8 bytes. */
  private number(size: number, signed = false): number {
    const bytes = this.take(size);
    if (size === 8) return Number(bytes.readBigUInt64LE());
    return signed ? bytes.readIntLE(0, size) : bytes.readUIntLE(0, size);
  }

  private take(size: number): Buffer {
    if (size > this.bytes.length - this.at) throw new RangeError('the pickle ends too early');
    const start = this.at;
    this.at += size;
    return this.bytes.subarray(start, this.at);
  }

  private line(): string {
    const end = this.bytes.indexOf(10, this.at);
    if (end > this.at + LONGEST_NAME) throw new TypeError('the name is too long');
    if (end < 0) throw new RangeError('the pickle ends too early');
    const text = this.bytes.toString('utf8', this.at, end);
    this.at = end + 1;
    return text;
  }

  private pop(): Pickled {
    const value = this.stack.pop();
    if (value === undefined || value === MARK) throw new TypeError('the stack is empty');
    return value;
  }

  private top(): Pickled {
    const value = this.stack.at(-1);
    if (value === undefined || value === MARK) throw new TypeError('the stack is empty');
    return value;
  }

  private popMark(): Pickled[] {
    const mark = this.stack.lastIndexOf(MARK);
    if (mark < 0) throw new TypeError('there is no mark');
    const values = this.stack.splice(mark).slice(1);
    return values.filter((value) => value !== MARK);
  }

  private popText(): string {
    const value = this.pop();
    if (typeof value !== 'string' || value.length > LONGEST_NAME) throw new TypeError('this is no name');
    return value;
  }

  private constant(opcode: number): boolean {
    const push = (value: Pickled) => this.stack.push(value) > 0;
    const text = (size: number) => push(this.take(this.number(size)).toString('utf8'));
    const bytes = (size: number) => {
      this.count(WORK_OF_A_THING);
      return push(new Uint8Array(this.take(this.number(size))));
    };
    switch (opcode) {
      case 0x80: // PROTO
      case 0x95: // FRAME
        return this.take(opcode === 0x80 ? 1 : 8).length > 0;
      case 0x4e: // NONE
        return push(null);
      case 0x88: // NEWTRUE
        return push(true);
      case 0x89: // NEWFALSE
        return push(false);
      case 0x4a: // BININT
        return push(this.number(4, true));
      case 0x4b: // BININT1
        return push(this.number(1));
      case 0x4d: // BININT2
        return push(this.number(2));
      case 0x8a: // LONG1
        return push(wholeNumber(this.take(this.number(1))));
      case 0x8b: // LONG4
        return push(wholeNumber(this.take(this.number(4))));
      case 0x47: // BINFLOAT
        return push(this.take(8).readDoubleBE());
      case 0x58: // BINUNICODE
        return text(4);
      case 0x8c: // SHORT_BINUNICODE
        return text(1);
      case 0x8d: // BINUNICODE8
        return text(8);
      case 0x42: // BINBYTES
      case 0x54: // BINSTRING
        return bytes(4);
      case 0x43: // SHORT_BINBYTES
      case 0x55: // SHORT_BINSTRING
        return bytes(1);
      case 0x8e: // BINBYTES8
      case 0x96: // BYTEARRAY8
        return bytes(8);
      default:
        return false;
    }
  }

  private collection(opcode: number): boolean {
    const push = (value: Pickled) => {
      this.count(WORK_OF_A_THING);
      return this.stack.push(value) > 0;
    };
    switch (opcode) {
      case 0x28: // MARK
        return this.stack.push(MARK) > 0;
      case 0x5d: // EMPTY_LIST
      case 0x29: // EMPTY_TUPLE
      case 0x8f: // EMPTY_SET
        return push([]);
      case 0x7d: // EMPTY_DICT
        return push(new Map());
      case 0x74: // TUPLE
      case 0x6c: // LIST
      case 0x91: // FROZENSET
        return push(this.popMark());
      case 0x85: // TUPLE1
      case 0x86: // TUPLE2
      case 0x87: // TUPLE3
        return push(Array.from({ length: opcode - 0x84 }, () => this.pop()).reverse());
      case 0x61: // APPEND
        return this.append([this.pop()]);
      case 0x65: // APPENDS
      case 0x90: // ADDITEMS
        return this.append(this.popMark());
      case 0x73: {
        // SETITEM
        const value = this.pop();
        return this.setItems([this.pop(), value]);
      }
      case 0x75: // SETITEMS
        return this.setItems(this.popMark());
      case 0x64: // DICT
        return push(new Map()) && this.setItems(this.popMarkBelowTop());
      default:
        return false;
    }
  }

  /** What lies between the last mark and the new dictionary on top, which stays. */
  private popMarkBelowTop(): Pickled[] {
    const top = this.pop();
    const values = this.popMark();
    this.stack.push(top);
    return values;
  }

  private append(values: readonly Pickled[]): boolean {
    const list = this.top();
    const elements = list instanceof PickledObject ? list.elements : list;
    if (!Array.isArray(elements)) throw new TypeError('this is no list');
    for (const value of values) elements.push(value);
    return true;
  }

  private setItems(values: readonly Pickled[]): boolean {
    const target = this.top();
    const members = target instanceof PickledObject ? target.members : target;
    if (!(members instanceof Map)) throw new TypeError('this is no dictionary');
    for (let at = 0; at + 1 < values.length; at += 2) members.set(values[at] ?? null, values[at + 1] ?? null);
    return true;
  }

  private object(opcode: number): boolean {
    const pushClass = (module: string, name: string) => {
      this.count(WORK_OF_A_THING);
      return this.stack.push(new PickledClass(`${module}.${name}`)) > 0;
    };
    switch (opcode) {
      case 0x63: // GLOBAL
        return pushClass(this.line(), this.line());
      case 0x93: {
        // STACK_GLOBAL
        const name = this.popText();
        return pushClass(this.popText(), name);
      }
      case 0x52: // REDUCE
      case 0x81: {
        // NEWOBJ
        const given = this.pop();
        return this.make(this.pop(), given);
      }
      case 0x92: {
        // NEWOBJ_EX
        const named = this.pop();
        const given = this.pop();
        return this.make(this.pop(), [given, named]);
      }
      case 0x51: // BINPERSID
        this.count(WORK_OF_A_THING);
        return this.stack.push(new PickledObject('', this.pop())) > 0;
      case 0x62: {
        // BUILD
        const state = this.pop();
        const target = this.top();
        if (target instanceof PickledObject) target.state = state;
        return true;
      }
      default:
        return false;
    }
  }

  private make(made: Pickled, given: Pickled): boolean {
    this.count(WORK_OF_A_THING);
    const name = made instanceof PickledClass || made instanceof PickledObject ? made.name : '';
    const object = new PickledObject(name, given);
    this.seen.push(object);
    return this.stack.push(object) > 0;
  }

  private memory(opcode: number): boolean {
    switch (opcode) {
      case 0x94: // MEMOIZE
        this.count(WORK_OF_A_THING);
        return this.memo.set(this.memo.size, this.top()).size > 0;
      case 0x71: // BINPUT
        return this.memo.set(this.number(1), this.top()).size > 0;
      case 0x72: // LONG_BINPUT
        return this.memo.set(this.number(4), this.top()).size > 0;
      case 0x68: // BINGET
        return this.recall(this.number(1));
      case 0x6a: // LONG_BINGET
        return this.recall(this.number(4));
      case 0x30: // POP
        return this.stack.pop() !== undefined;
      case 0x31: // POP_MARK
        return this.popMark().length >= 0;
      case 0x32: // DUP
        return this.stack.push(this.top()) > 0;
      default:
        return false;
    }
  }

  private recall(key: number): boolean {
    const value = this.memo.get(key);
    if (value === undefined) throw new TypeError('this was never remembered');
    return this.stack.push(value) > 0;
  }
}

/** Of the two's complement, least byte first; beyond 2^53 exactly, as a bigint. */
function wholeNumber(bytes: Buffer): number | bigint {
  // Python's largest numbers take a time that grows with the square of their digits
  if (bytes.length > 1_024) throw new TypeError('a number of more than 1,024 bytes');
  let value = 0n;
  for (let at = bytes.length - 1; at >= 0; at--) value = value * 256n + BigInt(bytes[at] ?? 0);
  const signed = BigInt.asIntN(bytes.length * 8, value);
  return signed >= Number.MIN_SAFE_INTEGER && signed <= Number.MAX_SAFE_INTEGER ? Number(signed) : signed;
}
