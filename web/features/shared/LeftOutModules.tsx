import { useLeftOutModules } from './useCatalog.ts';

export interface LeftOutModulesProps {
  /** Workers with the modules that they could not load. */
  workers?: readonly { name: string; leftOutModules: readonly { module: string; problem: string }[] }[];
}

/** Which modules of WARREN_KINDS could not be loaded, by whom, and why. Nothing where all were. */
export function LeftOutModules({ workers = [] }: LeftOutModulesProps) {
  const ofServer = useLeftOutModules();
  const all = [{ name: 'The server', leftOutModules: ofServer }, ...workers].flatMap(({ name, leftOutModules }) =>
    leftOutModules.map((one) => ({ name, ...one })),
  );
  return all.map(({ name, module, problem }) => (
    <p className="notice" role="status" key={`${name} ${module}`}>
      {name} could not load <code>{module}</code> of WARREN_KINDS: {problem}
    </p>
  ));
}
