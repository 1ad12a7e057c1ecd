const P = [
  0.12837916709551256, -0.3250421072470015, -0.02848174957559851, -0.005770270296489442, -2.3763016656650163e-5,
];
const Q = [
  1, 0.39791722395915535, 0.0650222499887673, 0.005081306281875766, 0.00013249473800432164, -3.960228278775368e-6,
];
const NEAR_ONE = 0.8450629115104675;
const PA = [
  -0.0023621185607526594, 0.41485611868374833, -0.3722078760357013, 0.31834661990116175, -0.11089469428239668,
  0.035478304325618236, -0.002166375594868791,
];
const QA = [
  1, 0.10642088040084423, 0.540397917702171, 0.07182865441419627, 0.12617121980876164, 0.01363708391202905,
  0.011984499846799107,
];
const RA = [
  -0.009864944034847148, -0.6938585727071818, -10.558626225323291, -62.375332450326006, -162.39666946257347,
  -184.60509290671104, -81.2874355063066, -9.814329344169145,
];
const SA = [
  1, 19.651271667439257, 137.65775414351904, 434.56587747522923, 645.3872717332679, 429.00814002756783,
  108.63500554177944, 6.570249770319282, -0.0604244152148581,
];
const RB = [
  -0.0098649429247001, -0.799283237680523, -17.757954917754752, -160.63638485582192, -637.5664433683896,
  -1025.0951316110772, -483.5191916086514,
];
const SB = [
  1, 30.33806074348246, 325.7925129965739, 1536.729586084437, 3199.8582195085955, 2553.0504064331644,
  474.52854120695537, -22.44095244658582,
];

function polynomial(coefficients: readonly number[], x: number): number {
  let value = 0;
  for (let i = coefficients.length - 1; i >= 0; i--) value = value * x + coefficients[i]!;
  return value;
}

/** erfc(x) for x >= 1.25. */
function tail(x: number): number {
  if (x >= 28) return 0;
  const s = 1 / (x * x);
  const ratio = x < 1 / 0.35 ? polynomial(RA, s) / polynomial(SA, s) : polynomial(RB, s) / polynomial(SB, s);
  // The head's square is exact, so that exp loses nothing to rounding of x².
  const head = Math.fround(x);
  return (Math.exp(-head * head - 0.5625) * Math.exp((head - x) * (head + x) + ratio)) / x;
}

/** The error function, 2/√π times the integral of exp(-t²) from 0 to x. Within 1e-15; fdlibm's `s_erf.c` (Sun, 1993). */
export function errorFunction(x: number): number {
  const size = Math.abs(x);
  if (size < 0.84375) return x + x * (polynomial(P, x * x) / polynomial(Q, x * x));
  if (size < 1.25) return Math.sign(x) * (NEAR_ONE + polynomial(PA, size - 1) / polynomial(QA, size - 1));
  return size >= 6 ? Math.sign(x) : Math.sign(x) * (1 - tail(size));
}

/** 1 - erf(x), without the loss of digits that the subtraction would bring for large x. Relative error within 1e-14. */
export function complementaryErrorFunction(x: number): number {
  if (x < 0.84375) return x < -1.25 ? 2 - tail(-x) : 1 - errorFunction(x);
  return x < 1.25 ? 1 - NEAR_ONE - polynomial(PA, x - 1) / polynomial(QA, x - 1) : tail(x);
}

/** P(Z <= x) of a standard normal Z. Relative error within 1e-14, in the lower tail too. */
export function normalDistribution(x: number): number {
  return 0.5 * complementaryErrorFunction(-x * Math.SQRT1_2);
}
