import { t, usePermission } from '#ui';
import { SettingsFrame } from '../../../shared/SettingsFrame.tsx';
import { AuthorizedApplications } from '../applications/AuthorizedApplications.tsx';
import { ConnectedApplications } from '../applications/ConnectedApplications.tsx';
import { RegisteredApplications } from '../applications/RegisteredApplications.tsx';

/** Programs that act for the person, and those that the company registered. */
export default function SettingsApplications() {
  const mayRegister = usePermission('integrations.edit');
  return (
    <SettingsFrame
      title={t('Applications')}
      description={t('Programs that use Trunkline on someone’s behalf.')}
    >
      <AuthorizedApplications />
      {mayRegister && <RegisteredApplications />}
      {mayRegister && <ConnectedApplications />}
    </SettingsFrame>
  );
}
