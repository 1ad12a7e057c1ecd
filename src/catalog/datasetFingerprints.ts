/**
 * Fingerprints of the content of known files, by the name of the file without `.gz`: those that the published experiments
 * were run on. A file of such a name with another fingerprint is cut off, altered, or of another edition.
 */
export const KNOWN_FINGERPRINTS: Readonly<Record<string, string>> = {
  'amazon-beauty.txt': 'b6b5ff920d4e3add14b6b61c7d682eb03e76f0b325811403aae224b7c573cda7',
  'amazon-tools-and-home-improvement.txt': '0178ff7a6854c95da38e84bac79191be52817718fa2067bf7f3a7d5743dfdaa6',
  'ml-1m-sequences.txt': '2fb433b9f919144efa17c47930a00bf97832362f0080eed9a1d542100af0ee68',
  'ml-100k.inter': '5880a4d29d6da5e06349f624666ba9e0d3c330e5eede2e14847f32924fe66a15',
  'ml-latest-small-ratings.csv': '08e3af8b06a1932daf9ad092d8aec93e02c9e0dd176dd299975481e5f3deb393',
  'steam-leporid-validation.txt': '2415d9db979fb33c0f627577709875cf1351361422848e8d22e9a53da310cf80',
  'steam-purchases.dat': '11dcd1b5a49f5c8562a9b59870126b2e9a5d4767d0d3b36dd6f365e53e57b053',
  'anime-history.dat': 'edfc52260e89a3f2bc8228aa11d0b79fa2895afbed4d590e89ec1f8ec41a9699',
  'adiac-train.tsv': 'e320c8a524d32c6947efc81f450c52a0e1db08c447d051ece19bb8f429149ab7',
  'arrowhead-train.tsv': 'dc9f7820a3b804c67c29a705695592992cef7159e42c7a9afb7ba8b9022bee9a',
  'beef-train.tsv': '5368ada9e60684a92fa474b25c03b9dddfe67a0840c4a5c7995006f381713357',
  'car-train.tsv': 'd5e0b80b6fa457707ee61cb1a1144b529756ff86d2f347e117b34ce5edf826a1',
  'coffee-train.tsv': 'e1181f733d089e0049cda769ee60aed623cc0dd5e0f921dcafe5f5baab1ddd3f',
  'earthquakes-train.tsv': '80322328f547ab52f8eb0321b7fcc2a37bf09b4527756fb0000c78485a442d50',
  'ecg200-train.tsv': 'a2a59560f0309c8b2268429cf1ba5a57e41369b6ab8b91421733e1ce776dee39',
  'ecg5000-train.tsv': '2fd75a171e88f45c18db93cf1c290d7cb675865cab7b47ee958b64193acc762f',
  'facesucr-train.tsv': '9275d8175d32e62b5c8c783f05ffc65a90be93196d34b805d17ed35c0504daaa',
  'gunpoint-train.tsv': 'db3aa1c87f4128d39a53bb6b05ff12f6411da684a3fff2ba145765d3b634249a',
  'gunpointagespan-train.tsv': 'a7b63454bb2fc9b9bb5c68965d1320b4cdbcda1c87b4b773359178460234a535',
  'gunpointoldversusyoung-train.tsv': '89ff0f16c11e542d649ac4a1dd10d4a69a89a76348d0dae54cef12697276ae83',
  'ham-train.tsv': '4ac4a16b357f4d6c5427486e2ce64aeadcfcc03cea849c9b9fd83d92680b3500',
  'meat-train.tsv': 'ed8e6f10dd6755adda6ff5e5c07ebb98777f58ba137ec1c7ba98eb444df1f521',
  'medicalimages-train.tsv': '920e74d1c66135c2851502534e0faf502e32729a655bb8728b292b7ab10be385',
  'middlephalanxoutlinecorrect-train.tsv': 'd45f35e600c703a8cae55f94f60d763fd3ade583d7cb97a8aa988a0b49b55be7',
  'plane-train.tsv': '08c1a013dee6484d55aa6eff9bfb3aaad441052180b962c26e99d5dca929de94',
  'proximalphalanxoutlinecorrect-train.tsv': '3f01f20f21ba24ca6d16b594908ee34357f1eedcada5149ced1ace3694d9febf',
  'smoothsubspace-train.tsv': 'e3d09e6d9e70fbc1a6ffefb02b776de70563e27c046b1a2e8c9934716e097e12',
  'strawberry-train.tsv': 'a70c2b7be1d473678aff526fd374d0d36a41b9c4935e5794f26836a84a2d6f02',
  'syntheticcontrol-train.tsv': 'b4febb00e919fea56fc6e0ac3bd076f80ff5e1411151ced3d2416152b9460fba',
  'trace-train.tsv': 'cca8c99df857c1a529e175d99a2556c9821077ff5efb4f413e03091effb21f1b',
  'twopatterns-train.tsv': '6f2062106afa870ba24f369bd386013c9c4bc48272e116f7253d2c58d7d255be',
  'umd-train.tsv': '025952d02701e8d365a86b59d3c5477506af01a3c8a47f9a94bbc6cd5305d711',
  'goog-daily-2014-2018.csv': '1034ac25322589d4207ba3f44db01a75ae9c99c049466b6157d4a37bda20668b',
  'googl-daily-2013-2018.csv': '5983a44e3436ad937be905cf2df1f62aa52c6b6e8b5ddbba9e8bfb8d23713886',
  'imdb-reviews-6k.tsv': '878367ffed3317a6ed2eb0a0d8718d6774cba67cbe0a3236c1baef2478b24555',
};

/** The fingerprint that a file of this name is known to have, in whatever folder it lies; undefined where none is known. */
export function knownFingerprint(path: string): string | undefined {
  const name = path.slice(path.lastIndexOf('/') + 1);
  return KNOWN_FINGERPRINTS[name.replace(/\.gz$/, '')];
}
