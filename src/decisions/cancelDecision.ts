import { WarrenError } from '#src/base/contracts/errors.ts';
import { inTransaction } from '#src/base/database/connection.ts';
import { type DecisionRecord, lockDecision, updateDecision } from '#src/decisions/store/decisionRecord.ts';
import { sendNotifications } from '#src/base/database/sendNotifications.ts';
import type { ServiceContext } from '#src/base/database/serviceContext.ts';
import { driveDecision } from './driveDecision.ts';
import { requireDecision } from './findDecision.ts';

/**
 * Ends a decision and cancels those of its own runs that have not ended. Its pairs and looks stay.
 * @throws WarrenError NOT_FOUND, and CONFLICT when it has ended otherwise.
 */
export async function cancelDecision(context: ServiceContext, reference: string): Promise<DecisionRecord> {
  const { id, number } = await requireDecision(context, reference);
  await inTransaction(context.db, async (connection) => {
    const decision = await lockDecision(connection, id);
    if (decision?.state === 'CANCELLED') return;
    if (decision?.state !== 'RUNNING') {
      throw new WarrenError('CONFLICT', `decision ${number} has ended already (${decision?.state})`, { path: 'id' });
    }
    await updateDecision(connection, id, { state: 'CANCELLED', reason: 'cancelled by hand' });
    await sendNotifications(connection, [{ type: 'decision', decisionId: id }]);
  });
  await driveDecision(context, id);
  // runs that no worker had are cancelled by now, and the decision with them
  await driveDecision(context, id);
  return await requireDecision(context, id);
}
