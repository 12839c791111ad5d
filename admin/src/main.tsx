import { createRoot } from 'react-dom/client';
import { AppProvider, clearSession, createQueryClient, onLogout, setProduct } from '#ui';
import { Admin } from './Admin.tsx';
import { goToLogin } from './go-to-login.ts';

const cache = createQueryClient();
setProduct('Trunkline admin');
onLogout(() => {
  clearSession();
  cache.clear();
}, goToLogin);
createRoot(document.getElementById('root')!).render(
  <AppProvider cache={cache}>
    <Admin />
  </AppProvider>,
);
