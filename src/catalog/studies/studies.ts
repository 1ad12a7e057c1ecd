import { WarrenError } from '#src/base/contracts/errors.ts';
import { meantOrThere } from '#src/base/lib/nearNames.ts';
import { rntkTable1Study } from './rntk/table1.ts';
import { rntkTable1KernelsStudy, rntkTable1StepsStudy } from './rntk/table1Kernels.ts';
import { rntkTable2Study } from './rntk/table2.ts';
import { rntkFigure2Study } from './rntk/figure2.ts';
import { rntkFigure3Study } from './rntk/figure3.ts';
import { rntkFigure4Study } from './rntk/figure4.ts';
import { overrecTable2Study } from './overrec/table2.ts';
import { overrecFigure1Study } from './overrec/figure1.ts';
import { overrecFigure2Study } from './overrec/figure2.ts';
import { overrecFigure4Study } from './overrec/figure4.ts';
import { overrecFigure5Study } from './overrec/figure5.ts';
import { overrecFigure6Study } from './overrec/figure6.ts';
import { leporidTable3Study } from './leporid/table3.ts';
import { leporidTable4Study } from './leporid/table4.ts';
import { leporidTable5Study } from './leporid/table5.ts';
import { leporidTable6Study } from './leporid/table6.ts';
import { leporidTable7Study } from './leporid/table7.ts';
import { leporidFigure1Study } from './leporid/figure1.ts';
import { leporidFigure2Study } from './leporid/figure2.ts';
import { leporidFigure4bStudy, leporidFigure4cStudy } from './leporid/figure4.ts';
import { sevoTable3Study } from './sevo/table3.ts';
import { sevoTable4Study } from './sevo/table4.ts';
import { sevoTable5Study } from './sevo/table5.ts';
import { sevoFigure3Study } from './sevo/figure3.ts';
import { sevoFigure4aStudy } from './sevo/figure4a.ts';
import { sevoFigure4bStudy } from './sevo/figure4b.ts';
import { sevoFigure5aStudy } from './sevo/figure5a.ts';
import { sevoFigure5bStudy } from './sevo/figure5b.ts';
import { sevoFigure6Study } from './sevo/figure6.ts';
import { sevoFigure7aStudy } from './sevo/figure7a.ts';
import { sevoFigure7bStudy } from './sevo/figure7b.ts';
import { sevoFigure8Study } from './sevo/figure8.ts';
import { featurizingTable1Study } from './featurizing/table1.ts';
import { featurizingTableA1Study } from './featurizing/tableA1.ts';
import { featurizingFigure1Study } from './featurizing/figure1.ts';
import { featurizingFigureA1Study } from './featurizing/figureA1.ts';
import { featurizingFigureA3Study } from './featurizing/figureA3.ts';
import { featurizingFigureA4Study } from './featurizing/figureA4.ts';
import { featurizingPropositionsStudy } from './featurizing/propositions.ts';
import type { Study } from './study.ts';

/** Every study, in the order of papers and of their tables and figures; each name once. */
export const STUDIES: readonly Study[] = [
  rntkTable1Study,
  rntkTable1KernelsStudy,
  rntkTable1StepsStudy,
  rntkTable2Study,
  rntkFigure2Study,
  rntkFigure3Study,
  rntkFigure4Study,
  overrecTable2Study,
  overrecFigure1Study,
  overrecFigure2Study,
  overrecFigure4Study,
  overrecFigure5Study,
  overrecFigure6Study,
  leporidTable3Study,
  leporidTable4Study,
  leporidTable5Study,
  leporidTable6Study,
  leporidTable7Study,
  leporidFigure1Study,
  leporidFigure2Study,
  leporidFigure4bStudy,
  leporidFigure4cStudy,
  sevoTable3Study,
  sevoTable4Study,
  sevoTable5Study,
  sevoFigure3Study,
  sevoFigure4aStudy,
  sevoFigure4bStudy,
  sevoFigure5aStudy,
  sevoFigure5bStudy,
  sevoFigure6Study,
  sevoFigure7aStudy,
  sevoFigure7bStudy,
  sevoFigure8Study,
  featurizingTable1Study,
  featurizingTableA1Study,
  featurizingFigure1Study,
  featurizingFigureA1Study,
  featurizingFigureA3Study,
  featurizingFigureA4Study,
  featurizingPropositionsStudy,
];

/** The study of that name. Throws NOT_FOUND, with the names that are near or all that there are. */
export function studyByName(name: string): Study {
  const found = STUDIES.find((study) => study.name === name);
  if (found !== undefined) return found;
  const names = STUDIES.map((study) => study.name);
  const hint = meantOrThere(name, names);
  throw new WarrenError('NOT_FOUND', `there is no study "${name}".${hint}`, { path: 'name' });
}
