import { Skeleton } from '@mantine/core';
import { branding, companies } from '#contract';
import { ErrorState, formFields, t, useApiMutation, useApiQuery, useCompanyId } from '#ui';
import { SettingsFrame } from '../../../shared/SettingsFrame.tsx';
import { BrandEditor } from '../brand/BrandEditor.tsx';

/** The look of the company: for its people, and in its email. */
export default function SettingsBrand() {
  const id = useCompanyId() ?? 0;
  const params = { id };
  const { response, error, refetch } = useApiQuery(
    companies.getCompany,
    { params },
    { enabled: id !== 0 },
  );
  const { mutate, isPending } = useApiMutation(branding.setCompanyBranding, {
    success: t('Look saved'),
    invalidates: [companies.getCompany],
  });
  return (
    <SettingsFrame title={t('Brand')}>
      {error && !response && <ErrorState error={error} retry={refetch} />}
      {!response && !error && <Skeleton height={300} />}
      {response && (
        <BrandEditor
          key={id}
          saved={response.data.branding}
          name={response.data.name}
          about={t('Shown to the people of this company and in its email.')}
          isPending={isPending}
          save={async (fields) => Boolean(await mutate({ params, body: formFields(fields) }))}
        />
      )}
    </SettingsFrame>
  );
}
