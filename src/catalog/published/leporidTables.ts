/** Metrics of LEPORID's tables, in the order of their columns. */
export const LEPORID_METRICS = ['hr@5', 'hr@10', 'f1@5', 'f1@10'] as const;
export type LeporidMetric = (typeof LEPORID_METRICS)[number];

/** Datasets of LEPORID's tables, in the order of their blocks of columns. */
export const LEPORID_TABLE_DATASETS = ['ml-1m', 'steam', 'anime'] as const;
export type LeporidTableDataset = (typeof LEPORID_TABLE_DATASETS)[number];

/** Start values of Table 3, in the order of its lines. */
export const LEPORID_STARTS = ['random', 'svd', 'bpr', 'netmf', 'node2vec', 'graph-bert', 'le', 'leporid'] as const;
export type LeporidStart = (typeof LEPORID_STARTS)[number];

/** Models of Table 3, in the order of its blocks of lines. */
export const LEPORID_MODELS = ['ncf', 'ngcf', 'dgcf', 'hgn', 'dlr2'] as const;
export type LeporidModel = (typeof LEPORID_MODELS)[number];

type Line = readonly (number | null)[];
export type LeporidScores = Readonly<Record<LeporidMetric, number | null>>;

/** The four columns of a dataset in a line of twelve. */
function scoresOf(line: Line, dataset: LeporidTableDataset): LeporidScores {
  const first = LEPORID_METRICS.length * LEPORID_TABLE_DATASETS.indexOf(dataset);
  const at = (metric: LeporidMetric): number | null => line[first + LEPORID_METRICS.indexOf(metric)] ?? null;
  return { 'hr@5': at('hr@5'), 'hr@10': at('hr@10'), 'f1@5': at('f1@5'), 'f1@10': at('f1@10') };
}

/** As printed: a line a start, the metrics of the three datasets beside each other; null for the paper's dashes. */
const TABLE_3: Readonly<Record<LeporidModel, readonly Line[]>> = {
  ncf: [
    [0.0525, 0.0874, 0.0027, 0.0044, 0.0036, 0.009, 0.0005, 0.0009, 0.0481, 0.0591, 0.0036, 0.0037],
    [0.298, 0.4669, 0.0311, 0.0512, 0.0791, 0.1557, 0.013, 0.0203, 0.0513, 0.0892, 0.0047, 0.0081],
    [0.2634, 0.4096, 0.0234, 0.0388, 0.0995, 0.1984, 0.0166, 0.0269, 0.049, 0.0814, 0.0044, 0.0075],
    [0.2151, 0.3505, 0.018, 0.0313, 0.0912, 0.2012, 0.0147, 0.0267, 0.054, 0.091, 0.005, 0.0084],
    [0.2321, 0.3776, 0.0199, 0.034, 0.0748, 0.1475, 0.0127, 0.0196, null, null, null, null],
    [0.1406, 0.2354, 0.0086, 0.0154, 0.0823, 0.1577, 0.0133, 0.0196, 0.0596, 0.1044, 0.0041, 0.0073],
    [0.2422, 0.3916, 0.0219, 0.0369, 0.0893, 0.1766, 0.0143, 0.0229, 0.0612, 0.1013, 0.0051, 0.0088],
    [0.3262, 0.4515, 0.0311, 0.0561, 0.1027, 0.2025, 0.0167, 0.0269, 0.0678, 0.1111, 0.0054, 0.0094],
  ],
  ngcf: [
    [0.0725, 0.1343, 0.0039, 0.007, 0.1072, 0.175, 0.0179, 0.0227, 0.1789, 0.3023, 0.0253, 0.0376],
    [0.3164, 0.4674, 0.036, 0.0549, 0.105, 0.1752, 0.0175, 0.0226, 0.3585, 0.5186, 0.0461, 0.0607],
    [0.3301, 0.4815, 0.042, 0.0647, 0.1071, 0.1747, 0.0179, 0.0226, 0.1719, 0.2849, 0.0338, 0.045],
    [0.2873, 0.4272, 0.0297, 0.0481, 0.1016, 0.1699, 0.0173, 0.022, 0.2355, 0.3798, 0.0342, 0.0512],
    [0.3195, 0.4699, 0.0369, 0.0573, 0.1193, 0.1939, 0.0205, 0.0255, null, null, null, null],
    [0.3169, 0.4654, 0.0354, 0.0531, 0.098, 0.1621, 0.0161, 0.0206, 0.0847, 0.1559, 0.0059, 0.0103],
    [0.3525, 0.507, 0.0436, 0.0679, 0.1102, 0.1818, 0.0184, 0.0238, 0.3739, 0.527, 0.0496, 0.076],
    [0.3785, 0.5258, 0.0439, 0.0667, 0.1342, 0.2084, 0.0228, 0.0277, 0.5098, 0.6401, 0.0712, 0.1014],
  ],
  dgcf: [
    [0.3505, 0.4964, 0.0395, 0.0611, 0.151, 0.2321, 0.0262, 0.0317, 0.2973, 0.4474, 0.0432, 0.0618],
    [0.353, 0.4982, 0.0407, 0.0635, 0.1549, 0.2365, 0.027, 0.0325, 0.3523, 0.5088, 0.0483, 0.0697],
    [0.3412, 0.4964, 0.0413, 0.0647, 0.1515, 0.2371, 0.0263, 0.032, 0.29, 0.4403, 0.0413, 0.06],
    [0.3435, 0.4977, 0.0421, 0.065, 0.1563, 0.2439, 0.0274, 0.0336, 0.3394, 0.4963, 0.0467, 0.0677],
    [0.3533, 0.4926, 0.0379, 0.0597, 0.154, 0.242, 0.0265, 0.0325, null, null, null, null],
    [0.3483, 0.4891, 0.0366, 0.0592, 0.1487, 0.2283, 0.0256, 0.0312, 0.2939, 0.4494, 0.042, 0.0606],
    [0.3485, 0.5032, 0.0408, 0.0643, 0.1551, 0.2353, 0.0269, 0.032, 0.3506, 0.5048, 0.0488, 0.0702],
    [0.3588, 0.5045, 0.0425, 0.0653, 0.1661, 0.253, 0.0292, 0.0349, 0.5264, 0.6477, 0.0679, 0.0916],
  ],
  hgn: [
    [0.327, 0.4879, 0.0465, 0.0688, 0.1198, 0.1977, 0.0205, 0.0261, 0.1287, 0.2457, 0.0192, 0.0305],
    [0.3623, 0.5315, 0.0536, 0.0792, 0.1715, 0.2594, 0.0298, 0.0358, 0.4296, 0.5989, 0.0496, 0.0764],
    [0.3377, 0.4985, 0.0452, 0.0688, 0.1221, 0.2058, 0.0205, 0.0272, 0.2648, 0.407, 0.0359, 0.0529],
    [0.3806, 0.5425, 0.0505, 0.0737, 0.1479, 0.2338, 0.0255, 0.0318, 0.4115, 0.5552, 0.0514, 0.0704],
    [0.3649, 0.5333, 0.0533, 0.0783, 0.1686, 0.2694, 0.0297, 0.0377, null, null, null, null],
    [0.2934, 0.4379, 0.0324, 0.0489, 0.1304, 0.2053, 0.0221, 0.027, 0.4147, 0.5692, 0.0506, 0.0733],
    [0.3912, 0.546, 0.0507, 0.0741, 0.1689, 0.2524, 0.0293, 0.0344, 0.4753, 0.6374, 0.0605, 0.0875],
    [0.3846, 0.5475, 0.0543, 0.0797, 0.1822, 0.2745, 0.0318, 0.038, 0.501, 0.6488, 0.0622, 0.0902],
  ],
  dlr2: [
    [0.3238, 0.4538, 0.031, 0.0497, 0.1322, 0.1912, 0.0225, 0.0247, 0.4191, 0.5976, 0.0468, 0.0744],
    [0.4263, 0.582, 0.0494, 0.0775, 0.1275, 0.1913, 0.0212, 0.0241, 0.5208, 0.6469, 0.0626, 0.0831],
    [0.475, 0.6273, 0.0621, 0.0979, 0.1677, 0.2565, 0.029, 0.0359, 0.5822, 0.7167, 0.0909, 0.1299],
    [0.3969, 0.5508, 0.0487, 0.077, 0.1522, 0.2534, 0.026, 0.0354, 0.5526, 0.6795, 0.082, 0.1189],
    [0.4947, 0.6603, 0.064, 0.1011, 0.1504, 0.2408, 0.0256, 0.0328, null, null, null, null],
    [0.3323, 0.4553, 0.0308, 0.0497, 0.1392, 0.1976, 0.023, 0.0251, 0.41, 0.5708, 0.0448, 0.07],
    [0.5119, 0.673, 0.0692, 0.107, 0.1853, 0.2878, 0.0332, 0.042, 0.6065, 0.7438, 0.101, 0.1409],
    [0.5406, 0.7026, 0.0755, 0.1158, 0.1958, 0.2994, 0.0352, 0.0437, 0.6361, 0.7654, 0.101, 0.1421],
  ],
};

/** What Table 3 prints for a model from a start. Null where it has a dash: node2vec was not computed on Anime. */
export function leporidTable3(of: {
  model: LeporidModel;
  start: LeporidStart;
  dataset: LeporidTableDataset;
}): LeporidScores {
  return scoresOf(TABLE_3[of.model][LEPORID_STARTS.indexOf(of.start)] ?? [], of.dataset);
}

const TABLE_4 = {
  toppop: [0.3197, 0.4377, 0.0335, 0.0517, 0.1413, 0.2306, 0.0239, 0.0307, 0.4091, 0.6103, 0.0504, 0.0807],
  'user-knn': [0.3851, 0.5419, 0.0483, 0.076, 0.1675, 0.2575, 0.0292, 0.0357, 0.4098, 0.5899, 0.0579, 0.0802],
  'item-knn': [0.3868, 0.5235, 0.0462, 0.0682, 0.1729, 0.272, 0.0309, 0.0385, 0.5909, 0.7431, 0.0949, 0.1204],
  slim: [0.3692, 0.5253, 0.0435, 0.068, 0.1671, 0.2588, 0.029, 0.0354, 0.5337, 0.7132, 0.0684, 0.1011],
  'bpr-random': [0.0851, 0.1581, 0.0107, 0.0171, 0.1582, 0.2348, 0.0279, 0.0338, 0.0406, 0.08, 0.0074, 0.0114],
  'bpr-leporid': [0.1094, 0.2106, 0.0151, 0.0247, 0.1638, 0.2442, 0.0293, 0.0353, 0.081, 0.1455, 0.017, 0.0233],
  'ncf-leporid': [0.3262, 0.4515, 0.0311, 0.0561, 0.1027, 0.2025, 0.0167, 0.0269, 0.0678, 0.1111, 0.0054, 0.0094],
  'ngcf-leporid': [0.3785, 0.5258, 0.0439, 0.0667, 0.1342, 0.2084, 0.0228, 0.0277, 0.5098, 0.6401, 0.0712, 0.1014],
  'dgcf-leporid': [0.3588, 0.5045, 0.0425, 0.0653, 0.1661, 0.253, 0.0292, 0.0349, 0.5264, 0.6477, 0.0679, 0.0916],
  'hgn-leporid': [0.3846, 0.5475, 0.0543, 0.0797, 0.1822, 0.2745, 0.0318, 0.038, 0.501, 0.6488, 0.0622, 0.0902],
  'dlr2-le': [0.5119, 0.673, 0.0692, 0.107, 0.1853, 0.2878, 0.0332, 0.042, 0.6065, 0.7438, 0.101, 0.1409],
  'dlr2-leporid': [0.5406, 0.7026, 0.0755, 0.1158, 0.1958, 0.2994, 0.0352, 0.0437, 0.6361, 0.7654, 0.101, 0.1421],
} as const;
export type LeporidTable4Method = keyof typeof TABLE_4;

/** Methods of Table 4 in the order of its lines. */
export const LEPORID_TABLE_4_METHODS: readonly LeporidTable4Method[] = [
  'toppop',
  'user-knn',
  'item-knn',
  'slim',
  'bpr-random',
  'bpr-leporid',
  'ncf-leporid',
  'ngcf-leporid',
  'dgcf-leporid',
  'hgn-leporid',
  'dlr2-le',
  'dlr2-leporid',
];

/** What Table 4 prints for a method, with its start where it has one. */
export function leporidTable4(method: LeporidTable4Method, dataset: LeporidTableDataset): LeporidScores {
  return scoresOf(TABLE_4[method], dataset);
}

/** Table 5: DLR² by start on the 25 % of users with the fewest interactions; HR@5, HR@10, F1@5, F1@10. */
const TABLE_5 = {
  'ml-1m': {
    random: [0.149, 0.249, 0.0307, 0.0382],
    svd: [0.2623, 0.4166, 0.0558, 0.0722],
    le: [0.3192, 0.4649, 0.0724, 0.088],
    leporid: [0.3536, 0.5159, 0.0823, 0.1045],
  },
  steam: {
    random: [0.0817, 0.1443, 0.0177, 0.0212],
    svd: [0.0704, 0.1072, 0.0153, 0.0155],
    le: [0.0973, 0.1684, 0.0215, 0.0258],
    leporid: [0.124, 0.203, 0.0284, 0.0321],
  },
  anime: {
    random: [0.3209, 0.4594, 0.068, 0.0732],
    svd: [0.2989, 0.4661, 0.0638, 0.0765],
    le: [0.3617, 0.5205, 0.0811, 0.0955],
    leporid: [0.3953, 0.5408, 0.0937, 0.1195],
  },
} as const;
export const LEPORID_TABLE_5_STARTS = ['random', 'svd', 'le', 'leporid'] as const;

/** What Table 5 prints for a start. */
export function leporidTable5(
  start: (typeof LEPORID_TABLE_5_STARTS)[number],
  dataset: LeporidTableDataset,
): LeporidScores {
  const [hr5, hr10, f15, f110] = TABLE_5[dataset][start];
  return { 'hr@5': hr5, 'hr@10': hr10, 'f1@5': f15, 'f1@10': f110 };
}

/** Table 6, ML-1M: which network ranks, and which losses it was trained with. */
export const LEPORID_TABLE_6: Readonly<
  Record<'generative' | 'generative-both' | 'discriminative' | 'discriminative-both', LeporidScores>
> = {
  generative: { 'hr@5': 0.3631, 'hr@10': 0.4982, 'f1@5': 0.0427, 'f1@10': 0.0601 },
  'generative-both': { 'hr@5': 0.4955, 'hr@10': 0.651, 'f1@5': 0.0677, 'f1@10': 0.1012 },
  discriminative: { 'hr@5': 0.5228, 'hr@10': 0.6826, 'f1@5': 0.0744, 'f1@10': 0.1112 },
  'discriminative-both': { 'hr@5': 0.5406, 'hr@10': 0.7026, 'f1@5': 0.0755, 'f1@10': 0.1158 },
};

/** Table 7: architectures of DLR²; a line an architecture, the metrics of the three datasets beside each other. */
const TABLE_7 = {
  'no-conv': [0.4331, 0.5781, 0.0539, 0.0815, 0.1729, 0.2667, 0.0301, 0.038, 0.4627, 0.6081, 0.0663, 0.0935],
  'only-conv': [0.5088, 0.6728, 0.0718, 0.1101, 0.1777, 0.2755, 0.0313, 0.0395, 0.5835, 0.7187, 0.0861, 0.1259],
  resnet: [0.5406, 0.7026, 0.0755, 0.1158, 0.1958, 0.2994, 0.0352, 0.0437, 0.6361, 0.7654, 0.101, 0.1421],
  revnet: [0.5394, 0.6965, 0.0766, 0.1162, 0.1962, 0.3023, 0.0353, 0.0443, 0.6288, 0.7604, 0.1021, 0.1442],
} as const;
export const LEPORID_ARCHITECTURES = ['no-conv', 'only-conv', 'resnet', 'revnet'] as const;

/** What Table 7 prints for an architecture. */
export function leporidTable7(
  architecture: (typeof LEPORID_ARCHITECTURES)[number],
  dataset: LeporidTableDataset,
): LeporidScores {
  return scoresOf(TABLE_7[architecture], dataset);
}
