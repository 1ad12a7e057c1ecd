import { type RefObject, useEffect } from 'react';

export interface WrongFieldsProps {
  form: RefObject<HTMLFormElement | null>;
  /** What is wrong, by field. */
  errors: Readonly<Record<string, unknown>>;
}

/** Says how many fields of a form were refused, and goes to the first of them. */
export function WrongFields({ form, errors }: WrongFieldsProps) {
  const count = Object.keys(errors).length;
  useEffect(() => {
    if (count > 0) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [count, form]);
  if (count === 0) return null;
  return (
    <p className="danger-text" role="alert">
      {count === 1 ? 'One field must be corrected.' : `${count} fields must be corrected.`}
    </p>
  );
}
