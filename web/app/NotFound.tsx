import { Link } from '@tanstack/react-router';
import { EmptyState } from '../components/EmptyState.tsx';

export function NotFound() {
  return (
    <div className="page">
      <h1>Nothing here</h1>
      <EmptyState title="There is no such page">
        <Link to="/runs">All runs</Link>
      </EmptyState>
    </div>
  );
}
