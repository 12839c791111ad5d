import type { Actor } from '../../../platform/access.ts';

/**
 * The organization whose companies a session doesn't open: it lets the person in only through its own
 * provider, and the session began otherwise. Undefined: none.
 */
export const keptOutBySso = ({
  sso_required: required,
  sso_organization_id: cameThrough,
}: {
  sso_required: { id: number; name: string } | null;
  sso_organization_id: number | null;
}): Actor['keptOut'] =>
  required && required.id !== cameThrough
    ? {
        organizationId: required.id,
        by: { code: 'sso.required', facts: { organization: required.name } },
      }
    : undefined;
