import { Link } from '@tanstack/react-router';
import { useProjectStorage } from '#web/features/shared/useStorage.ts';
import { formatBytes } from '#web/lib/formatBytes.ts';
import { formatCount } from '#web/lib/formatNumber.ts';

/** What the artifacts of the largest projects take, and what they may. */
export function ProjectSizes() {
  const { data } = useProjectStorage();
  const taken = data?.filter(({ bytes, quotaBytes }) => bytes > 0 || quotaBytes !== null) ?? [];
  if (taken.length === 0) return null;
  return (
    <div className="table-scroll">
      <table className="table">
        <caption className="visually-hidden">Artifacts of projects, the largest first</caption>
        <thead>
          <tr>
            <th scope="col">Project</th>
            <th scope="col" className="number">
              Files
            </th>
            <th scope="col" className="number">
              Size
            </th>
            <th scope="col" className="number">
              In the trash
            </th>
            <th scope="col" className="number">
              Quota
            </th>
          </tr>
        </thead>
        <tbody>
          {taken.map(({ name, files, bytes, trashBytes, quotaBytes }) => (
            <tr key={name}>
              <th scope="row">
                <Link to="/runs" search={{ project: name }}>
                  {name}
                </Link>
              </th>
              <td className="number">{formatCount(files)}</td>
              <td className="number">{formatBytes(bytes)}</td>
              <td className="number">{formatBytes(trashBytes)}</td>
              <td className="number">{quotaBytes === null ? '–' : formatBytes(quotaBytes)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
