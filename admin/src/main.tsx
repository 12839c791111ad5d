import { clearSession, createQueryClient, mountApp, onLogout } from '#ui';
import { Admin } from './Admin.tsx';
import { goToLogin } from './go-to-login.ts';

const cache = createQueryClient();
onLogout(() => {
  clearSession();
  cache.clear();
}, goToLogin);
mountApp(<Admin />, { product: 'Trunkline admin', cache });
