import { useStore } from '#web/api/useStore.ts';
import { Button } from '#web/components/Button.tsx';
import { Icon } from '#web/components/Icon.tsx';
import { showToast } from '#web/components/toasts.ts';
import { type Followed, followedRuns, setFollowed } from './followedRuns.ts';

/** Asks to be told when a run ends, by the browser where it may, else on the page. */
export function FollowButton({ run }: { run: Followed }) {
  const followed = useStore(followedRuns).some(({ id }) => id === run.id);
  const toggle = async () => {
    setFollowed({ id: run.id, number: run.number }, !followed);
    if (followed) return;
    const permission = 'Notification' in window ? await Notification.requestPermission() : 'denied';
    showToast(
      permission === 'granted'
        ? `The browser will tell when run #${run.number} ends, while a page of Warren is open.`
        : `A message here will tell when run #${run.number} ends: the browser allows this site no notifications.`,
    );
  };
  return (
    <Button aria-pressed={followed} title="Tell me when it ends" onClick={() => void toggle()}>
      <Icon name="bell" size={13} />
      {followed ? 'Following' : 'Follow'}
    </Button>
  );
}
