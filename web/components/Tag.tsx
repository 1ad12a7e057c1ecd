import './display.css';

export function Tag({ text }: { text: string }) {
  return <span className="tag">{text}</span>;
}
