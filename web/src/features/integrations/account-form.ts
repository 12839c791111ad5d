import type { UseFormReturnType } from '@mantine/form';
import { oauthIntegrations as contract } from '#contract';
import type { LookupKind } from '#contract/integrations/oauth-integrations/rules';
import { bindFieldErrors, useApiMutation, useApiQuery, useCompanyId } from '#ui';
import type { Account } from './AccountActions.tsx';

/** What is set of an account, as its provider has it; nothing is before it is set up. */
export const configOf = <Config>({ config }: Account): Config =>
  // Checked by the server when it was stored.
  config as Config;

/** Saves what is set of an account, and turns it on where it was set up for the first time. */
export function useSaveAccount<Values extends object>(
  account: Account,
  form: UseFormReturnType<Values>,
  {
    bodyOf,
    fieldNames,
    success,
    close,
  }: {
    bodyOf: (values: Values) => Record<string, unknown>;
    /** The form’s fields by how the API names them. */
    fieldNames: Readonly<Record<string, string>>;
    success: string;
    close: () => void;
  },
) {
  const companyId = useCompanyId() ?? 0;
  const invalidates = [contract.listOAuthIntegrations];
  const { mutate, isPending } = useApiMutation(contract.updateOAuthIntegration, {
    ...{ invalidates, success },
    onFieldErrors: bindFieldErrors(form, fieldNames),
  });
  const { mutate: activate } = useApiMutation(contract.activateOAuthIntegration, { invalidates });
  const save = form.onSubmit(async (values) => {
    const params = { companyId, id: account.id };
    if (!(await mutate({ params, body: { config: bodyOf(values) } }))) return;
    if (account.status === 'connected') await activate({ params, body: {} });
    form.resetDirty();
    close();
  });
  return { save, isSaving: isPending };
}

/** A list of an account at its provider, to choose from. */
export function useLookup(account: Account, kind: LookupKind, parent?: string | null) {
  const companyId = useCompanyId() ?? 0;
  const { response, error, loading, refetch } = useApiQuery(
    contract.lookUpOAuthIntegration,
    { params: { companyId, id: account.id, kind }, query: parent ? { parent } : {} },
    { silent: true, enabled: parent !== null },
  );
  const options = (response?.data ?? []).map(({ id, name, detail }) => ({
    ...{ value: id, label: name, detail },
  }));
  return { options, error, loading, refetch };
}
