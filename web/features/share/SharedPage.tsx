import { useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { setAuthToken } from '#web/api/authToken.ts';
import { request } from '#web/api/request.ts';
import { Loading } from '#web/components/Loading.tsx';
import { useTitle } from '#web/components/useTitle.ts';
import { ServerDocument } from '#web/generated/graphql.ts';

/** Pages that a link may open: those of the dashboard that show runs, and reports. */
const PAGES = /^\/(?:runs|compare|reports)(?:[/?]|$)/;

/** Takes the secret out of the address, keeps it for this tab, and goes to what it shows. */
export function SharedPage() {
  useTitle('Shared');
  const router = useRouter();
  const queryClient = useQueryClient();
  const [failed, setFailed] = useState(false);
  useEffect(() => {
    const secret = location.hash.slice(1);
    if (!/^warren_share_[\w-]{10,200}$/.test(secret)) {
      setFailed(true);
      return;
    }
    setAuthToken(secret);
    void open();

    async function open(): Promise<void> {
      queryClient.clear(); // what another token has seen
      const answer = await request(ServerDocument, {}).catch(() => null);
      const page = answer?.server.caller.shared?.page;
      if (page === undefined || !PAGES.test(page)) setFailed(true);
      else router.history.replace(page);
    }
  }, [router, queryClient]);
  if (!failed) return <Loading what="what was shared" />;
  return (
    <div className="page">
      <h1>This link opens nothing</h1>
      <p>It is not whole, was withdrawn, or has expired. Ask who gave it to you for another.</p>
    </div>
  );
}
