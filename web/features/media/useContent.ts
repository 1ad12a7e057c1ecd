import { useQuery } from '@tanstack/react-query';

/** An uploaded text, or its beginning, and whether that is all. `url` is a ticket's: no token is sent. */
export function useContent(url: string, mostBytes: number) {
  return useQuery({
    queryKey: ['content', url, mostBytes],
    queryFn: async ({ signal }) => {
      const response = await fetch(url, { signal, headers: { range: `bytes=0-${mostBytes - 1}` } });
      // an empty content has no first byte
      if (response.status === 416) return { bytes: new Uint8Array(), whole: true };
      if (!response.ok) throw new Error(`It cannot be read (status ${response.status}); load the page again.`);
      const size = Number(response.headers.get('content-range')?.split('/')[1] ?? 0);
      const bytes = new Uint8Array(await response.arrayBuffer());
      return { bytes, whole: bytes.length >= size };
    },
    staleTime: Number.POSITIVE_INFINITY,
  });
}
