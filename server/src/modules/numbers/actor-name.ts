import { systemActor, type Actor, type Ctx } from '../../platform/context.ts';
import { userNamesById } from './forwarding/store.ts';

/** The system at work for somebody: what a job does is told under the name of who asked for it. */
export async function actorFor(ctx: Ctx, userId: number): Promise<Actor> {
  const name = userId ? (await userNamesById(ctx.db.unscoped, [userId])).get(userId) : undefined;
  return name ? { ...systemActor, kind: 'user', userId, name } : systemActor;
}
