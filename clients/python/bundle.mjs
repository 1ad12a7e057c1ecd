import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Python that makes a package of the modules that follow in `_SOURCES`, and of the file itself the package's first module. */
const LOADER = `
import importlib.abc
import importlib.machinery
import sys


class _Modules(importlib.abc.MetaPathFinder, importlib.abc.InspectLoader):
    def find_spec(self, fullname, path=None, target=None):
        if fullname.rpartition(".")[0] != _PACKAGE or fullname.rpartition(".")[2] not in _SOURCES:
            return None
        return importlib.machinery.ModuleSpec(fullname, self, origin=__file__)

    def create_module(self, spec):
        return None

    def exec_module(self, module):
        exec(self.get_code(module.__name__), module.__dict__)

    def get_source(self, fullname):
        return _SOURCES[fullname.rpartition(".")[2]]

    def get_code(self, fullname):
        return compile(self.get_source(fullname), "%s:%s.py" % (__file__, fullname.rpartition(".")[2]), "exec")


_PACKAGE = "warren" if __name__ == "__main__" else __name__
__path__ = []
__package__ = _PACKAGE
sys.modules[_PACKAGE] = sys.modules[__name__]
sys.meta_path.insert(0, _Modules())
exec(compile(_SOURCES["__init__"], "%s:__init__.py" % __file__, "exec"))
if __name__ == "__main__":
    from warren.__main__ import main

    sys.exit(main())
`;

/** Writes the package of `folder` as one Python file, for programs on machines without pip. */
export function bundlePythonClient(folder, output) {
  const sources = readdirSync(folder)
    .filter((name) => name.endsWith('.py'))
    .sort()
    .map((name) => `    ${JSON.stringify(name.slice(0, -3))}: ${literal(readFileSync(join(folder, name), 'utf8'))},\n`);
  mkdirSync(join(output, '..'), { recursive: true });
  writeFileSync(
    output,
    `# Made from clients/python/warren: do not edit.\n"""Logs experiments to Warren: import warren; warren.init(); warren.log({"loss": 0.7})."""\n_SOURCES = {\n${sources.join('')}}\n${LOADER}`,
  );
}

function literal(text) {
  return `r'''${text}'''`;
}
