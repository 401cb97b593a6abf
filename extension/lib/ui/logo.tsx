export function Logo() {
  return (
    <span className="logo">
      <img src="/icon/32.png" alt="" />
      remem
    </span>
  );
}
