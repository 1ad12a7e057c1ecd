// The job of training word vectors. Read by TypeScript and by AssemblyScript alike: only integer constants may stand here.

// Words of the job, 32 bits each.
/** Model: one of those below. */
export const MODEL = 0;
/** (sentences + 1) Where each sentence begins among the tokens. */
export const OFFSETS = 1;
/** (tokens) */
export const TOKENS = 2;
/** (sentences) In which order they are read. */
export const ORDER = 3;
/** (words, then sentences for PV models; stride) Input vectors. */
export const INPUT = 4;
/** (words, stride) Output vectors. */
export const OUTPUT = 5;
/** (words) A token is kept where 32 random bits are at most this. */
export const KEPT = 6;
/** (words) The alias table of negatives: a cell keeps its own word where 32 random bits are below this. */
export const CELL = 7;
/** (words) */
export const ALIAS = 8;
export const WORDS = 9;
/** Floats from one vector to the next: a multiple of 4, zeros behind the dimension. */
export const STRIDE = 10;
export const WINDOW = 11;
/** 1 where the window of each token is drawn from 1 to WINDOW. */
export const SHRINKS = 12;
export const NEGATIVES = 13;
/** (lanes) What each lane has for itself. */
export const LANES = 14;
/** Bytes from one lane's to the next's. */
export const LANE_BYTES = 15;
/** The loss is summed over every so many-th token of a lane; 0 for never. */
export const LOSS_EVERY = 16;
/** 1 where each vector of a mean follows its slope whole, 0 where it follows its share. */
export const WHOLE_UPDATES = 17;
export const JOB_WORDS = 20;

// Models.
export const SKIP_GRAM = 0;
export const CBOW = 1;
export const PV_DBOW = 2;
export const PV_DM = 3;

// A lane's own: four 32-bit words of its generator, then doubles, then addresses.
/** Bytes: sum of losses; targets over which it was summed; tokens read. */
export const LANE_LOSS = 16;
export const LANE_PAIRS = 24;
export const LANE_TOKENS = 32;
/** Addresses of the kept tokens of a sentence, of targets, and of two vectors. */
export const LANE_KEPT = 40;
export const LANE_TARGETS = 44;
export const LANE_SLOPE = 48;
export const LANE_MEAN = 52;
