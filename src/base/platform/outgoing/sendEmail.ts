export interface MailServer {
  /** `smtp://user:password@host:587`, or `smtps://` for TLS from the first byte. */
  smtpUrl: string;
  /** The sender's address. */
  from: string;
}

export interface Email {
  /** The same at every attempt: mailboxes show a message with one id once. */
  id: string;
  to: string;
  subject: string;
  text: string;
}

/** Hands a message over to the mail server. @throws Error where the server does not take it in time. */
export async function sendEmail({ smtpUrl, from }: MailServer, email: Email, timeoutMs: number): Promise<void> {
  // loaded here: most servers never send one
  const { createTransport } = await import('nodemailer');
  const domain = /@([^@>\s]+)>?$/.exec(from)?.[1] ?? 'warren';
  const transport = createTransport({
    url: smtpUrl,
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  try {
    await transport.sendMail({
      from,
      to: { name: '', address: email.to },
      subject: email.subject,
      text: email.text,
      messageId: `<${email.id}@${domain}>`,
      headers: { 'Auto-Submitted': 'auto-generated' },
    });
  } finally {
    transport.close();
  }
}
