export const passkey = {
  canceled: 'The passkey prompt was closed or timed out.',
  known: 'This device already has a passkey for your account.',
  failed: 'Your browser could not use the passkey.',
  refused: 'The passkey was not accepted. It may have been removed.',
};
