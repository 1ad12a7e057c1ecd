import './display.css';

export function Loading({ what }: { what: string }) {
  return (
    <p className="empty" role="status">
      Loading {what} …
    </p>
  );
}
