(** * Products, powers and exp(-y) in whole multiples of 2^-n, each rounded to a side that is asked for

    A product keeps the upper half of its bits alone, so it takes half the work of a whole one; and the fewer bits the
    first factor has, the less. A power has an exponent of its own: its precision is relative. *)
From Coq Require Import ZArith QArith Qreals Reals Lra Lia Psatz Bool.
From DPcore Require Import Indistinguishability.
From DPchecker Require Import Numbers Exponentials.
Open Scope R_scope.
Set Implicit Arguments.

(** y is on the side of x that is asked for. *)
Definition safe (up : bool) (x y : R) : Prop := if up then x <= y else y <= x.

(** [a] in units of 2^-n. *)
Definition units (n a : Z) : R := IZR a / IZR (2 ^ n).

Lemma safe_trans up x y z : safe up x y -> safe up y z -> safe up x z. Proof. destruct up; simpl; lra. Qed.
Lemma safe_refl up x : safe up x x. Proof. destruct up; simpl; lra. Qed.
Lemma safe_plus up x y x' y' : safe up x y -> safe up x' y' -> safe up (x + x') (y + y'). Proof. destruct up; simpl; lra. Qed.
Lemma safe_mult up x y x' y' : 0 <= x -> 0 <= y -> 0 <= x' -> 0 <= y' -> safe up x y -> safe up x' y' -> safe up (x * x') (y * y').
Proof. destruct up; simpl; intros; apply Rmult_le_compat; assumption. Qed.

Lemma units_nonneg n a : (0 <= n)%Z -> (0 <= a)%Z -> 0 <= units n a.
Proof. intros Hn Ha. apply Rmult_le_pos; [now apply IZR_le | left; apply Rinv_0_lt_compat, U_pos, Hn]. Qed.
Lemma units_plus n a b : units n (a + b) = units n a + units n b.
Proof. unfold units. rewrite plus_IZR. unfold Rdiv. ring. Qed.
Lemma units_shift n k a : (0 <= n)%Z -> (0 <= k)%Z -> units (n + k) (a * 2 ^ k) = units n a.
Proof.
  intros Hn Hk. unfold units. rewrite Z.pow_add_r, !mult_IZR by assumption. pose proof (U_pos Hn). pose proof (U_pos Hk). field; lra.
Qed.
Lemma units_one n : (0 <= n)%Z -> units n (2 ^ n) = 1.
Proof. intros Hn. unfold units. pose proof (U_pos Hn). field; lra. Qed.

Lemma units_mono n a b : (0 <= n)%Z -> (a <= b)%Z -> units n a <= units n b.
Proof. intros Hn H. apply Rmult_le_compat_r; [left; apply Rinv_0_lt_compat, U_pos, Hn | now apply IZR_le]. Qed.
Lemma units_mult n m a b : (0 <= n)%Z -> (0 <= m)%Z -> units n a * units m b = units (n + m) (a * b).
Proof.
  intros Hn Hm. unfold units. rewrite Z.pow_add_r, !mult_IZR by assumption. pose proof (U_pos Hn). pose proof (U_pos Hm). field; lra.
Qed.

(** ** Products *)

(** The parts of [t a / 2^l], l being how many bits t has, each rounded down; and [a / 2^l]. *)
Fixpoint parts (t : positive) (a : Z) : Z * Z :=
  match t with
  | xH => let h := Z.div2 a in (h, h)
  | xO t => let (s, h) := parts t a in (s, Z.div2 h)
  | xI t => let (s, h) := parts t a in let h := Z.div2 h in ((s + h)%Z, h)
  end.

Definition times (up : bool) (n t a : Z) : Z :=
  match t with
  | Zpos p => let l := Zpos (Pos.size p) in let (s, _) := parts p (Z.shiftr a (n - l)) in if up then (s + l + 1)%Z else s
  | _ => 0%Z
  end.

Lemma div2_bound a : (2 * Z.div2 a <= a < 2 * Z.div2 a + 2)%Z.
Proof. rewrite Z.div2_div. pose proof (Z.div_mod a 2 ltac:(lia)). pose proof (Z.mod_pos_bound a 2 ltac:(lia)). lia. Qed.

Lemma parts_ok t : forall a, (0 <= a)%Z -> let (s, h) := parts t a in let l := Zpos (Pos.size t) in
  (0 <= s /\ 0 <= h /\ h * 2 ^ l <= a < (h + 1) * 2 ^ l /\ s * 2 ^ l <= Zpos t * a <= (s + l) * 2 ^ l)%Z.
Proof.
  induction t as [t IH|t IH|]; intros a Ha; cbn [parts Pos.size].
  1, 2: specialize (IH a Ha); destruct (parts t a) as [s h]; cbv zeta in *; destruct IH as (S0 & H0 & (H1 & H2) & S1 & S2);
    pose proof (div2_bound h) as [D1 D2]; rewrite Pos2Z.inj_succ, ?(Pos2Z.inj_xI t), ?(Pos2Z.inj_xO t), Z.pow_succ_r by discriminate;
    assert (u0 : (0 <= 2 ^ Zpos (Pos.size t))%Z) by (apply Z.pow_nonneg; discriminate);
    set (u := (2 ^ Zpos (Pos.size t))%Z) in *; set (d := Z.div2 h) in *; clearbody u d;
    assert (D3 : (h + 1 <= 2 * d + 2)%Z) by lia; pose proof (Zmult_le_compat_r _ _ u D1 u0); pose proof (Zmult_le_compat_r _ _ u D3 u0);
    repeat split; lia.
  pose proof (div2_bound a). change (2 ^ 1)%Z with 2%Z. repeat split; lia.
Qed.

Lemma size_bound p : (Zpos p < 2 ^ Zpos (Pos.size p))%Z.
Proof. pose proof (Pos.size_gt p). lia. Qed.

Lemma times_bounds n t a : (0 <= n)%Z -> (0 <= t)%Z -> (0 <= a)%Z ->
  (0 <= times false n t a /\ 0 <= times true n t a /\ times false n t a * 2 ^ n <= t * a <= times true n t a * 2 ^ n)%Z.
Proof.
  intros Hn Ht Ha. destruct t as [|p|p]; [simpl; lia | | lia]. unfold times. cbv zeta. set (l := Zpos (Pos.size p)).
  assert (Hl : (0 < l)%Z) by reflexivity. pose proof (size_bound p) as P. fold l in P.
  assert (Hb : (0 <= Z.shiftr a (n - l))%Z) by now apply Z.shiftr_nonneg.
  pose proof (@parts_ok p (Z.shiftr a (n - l)) Hb) as S. fold l in S. destruct (parts p _) as [s h]. cbv zeta in S.
  destruct S as (S0 & _ & _ & S1 & S2). pose proof (Z.pow_pos_nonneg 2 l ltac:(lia) ltac:(lia)) as UL.
  destruct (Z.le_gt_cases l n) as [L|L].
  - assert (E : (2 ^ n = 2 ^ l * 2 ^ (n - l))%Z) by (rewrite <- Z.pow_add_r by lia; f_equal; lia).
    pose proof (Z.pow_pos_nonneg 2 (n - l) ltac:(lia) ltac:(lia)) as UK. rewrite Z.shiftr_div_pow2 in * by lia.
    pose proof (Z.div_mod a (2 ^ (n - l)) ltac:(lia)) as D. pose proof (Z.mod_pos_bound a (2 ^ (n - l)) ltac:(lia)) as M.
    set (b := (a / 2 ^ (n - l))%Z) in *. set (r := (a mod 2 ^ (n - l))%Z) in *. rewrite E, D.
    set (w := (2 ^ (n - l))%Z) in *. set (u := (2 ^ l)%Z) in *. clearbody w u b r. clear D E.
    assert (w0 : (0 <= w)%Z) by lia. pose proof (Zmult_le_compat_r _ _ w S1 w0). pose proof (Zmult_le_compat_r _ _ w S2 w0).
    assert (0 <= Zpos p * r <= u * w)%Z by (split; [apply Z.mul_nonneg_nonneg; lia | apply Z.mul_le_mono_nonneg; lia]).
    repeat split; lia.
  - assert (E : (2 ^ l = 2 ^ n * 2 ^ (l - n))%Z) by (rewrite <- Z.pow_add_r by lia; f_equal; lia).
    pose proof (Z.pow_pos_nonneg 2 (l - n) ltac:(lia) ltac:(lia)) as UK. pose proof (Z.pow_pos_nonneg 2 n ltac:(lia) ltac:(lia)) as UN.
    rewrite <- (Z.opp_involutive (n - l)), Z.shiftr_opp_r, Z.shiftl_mul_pow2 in * by lia. replace (- (n - l))%Z with (l - n)%Z in * by lia.
    rewrite E in S1, S2. set (w := (2 ^ (l - n))%Z) in *. set (u := (2 ^ n)%Z) in *. clearbody w u. clear E P.
    assert (s * u <= Zpos p * a /\ Zpos p * a <= (s + l) * u)%Z; [|repeat split; lia].
    split; apply Zmult_le_reg_r with w; lia.
Qed.

Lemma times_ok up n k t a x y : (0 <= n)%Z -> (0 <= k)%Z -> (0 <= t)%Z -> (0 <= a)%Z -> 0 <= x -> 0 <= y ->
  safe up x (units k t) -> safe up y (units n a) -> (0 <= times up n t a)%Z /\ safe up (x * y) (units k (times up n t a)).
Proof.
  intros Hn Hk Ht Ha Hx Hy X Y. destruct (times_bounds Hn Ht Ha) as (F & T & B1 & B2). split; [now destruct up|].
  apply safe_trans with (units k t * units n a); [apply safe_mult; auto using units_nonneg|].
  rewrite units_mult, <- (@units_shift k n) by assumption. destruct up; apply units_mono; lia.
Qed.

(** Fewer bits. *)
Definition trim (up : bool) (k a : Z) : Z := if up then (Z.shiftr a k + 1)%Z else Z.shiftr a k.

Lemma trim_ok up n k a x : (0 <= k <= n)%Z -> (0 <= a)%Z -> safe up x (units n a) ->
  (0 <= trim up k a)%Z /\ safe up x (units (n - k) (trim up k a)).
Proof.
  intros Hk Ha X. assert (P : (0 <= Z.shiftr a k)%Z) by now apply Z.shiftr_nonneg. split; [destruct up; simpl; lia|].
  apply safe_trans with (1 := X). rewrite <- (@units_shift (n - k) k) by lia. replace (n - k + k)%Z with n by ring.
  unfold trim. rewrite Z.shiftr_div_pow2 in * by lia. pose proof (Z.pow_pos_nonneg 2 k ltac:(lia) ltac:(lia)).
  pose proof (Z.div_mod a (2 ^ k) ltac:(lia)). pose proof (Z.mod_pos_bound a (2 ^ k) ltac:(lia)).
  destruct up; apply units_mono; lia.
Qed.

(** ** Powers: (a, s) is a over 2^s *)
Definition value (f : Z * Z) : R := units (snd f) (fst f).

Definition product (up : bool) (n : Z) (f g : Z * Z) : Z * Z :=
  let (a, s) := f in let (b, t) := g in
  let m := times up n a b in let z := Z.max 0 (n - 1 - Z.log2 m) in (Z.shiftl m z, s + t - n + z)%Z.

Fixpoint power (up : bool) (n : Z) (f : Z * Z) (k : positive) : Z * Z :=
  match k with
  | xH => f
  | xO k => let g := power up n f k in product up n g g
  | xI k => let g := power up n f k in product up n f (product up n g g)
  end.

Definition safely (up : bool) (n : Z) (x : R) (f : Z * Z) : Prop := (n <= snd f)%Z /\ (0 <= fst f)%Z /\ safe up x (value f).

Lemma product_ok up n f g x y : (0 <= n)%Z -> 0 <= x -> 0 <= y -> safely up n x f -> safely up n y g ->
  safely up n (x * y) (product up n f g).
Proof.
  destruct f as [a s], g as [b t]. unfold safely, value, product; simpl. intros Hn Hx Hy (S & A & X) (T & B & Y).
  assert (E : safe up (x * y) (units (s + t) (times up n a b * 2 ^ n))).
  { apply safe_trans with (units s a * units t b); [apply safe_mult; auto; apply units_nonneg; lia|].
    destruct (times_bounds Hn A B) as (_ & _ & B1 & B2). rewrite units_mult by lia. destruct up; apply units_mono; lia. }
  assert (M : (0 <= times up n a b)%Z) by (destruct (times_bounds Hn A B); destruct up; tauto).
  set (m := times up n a b) in *. set (z := Z.max 0 (n - 1 - Z.log2 m)). assert (Z0 : (0 <= z)%Z) by apply Z.le_max_l.
  rewrite Z.shiftl_mul_pow2, units_shift by lia. replace (s + t)%Z with (s + t - n + n)%Z in E by ring. rewrite units_shift in E by lia.
  repeat split; [lia | apply Z.mul_nonneg_nonneg; [exact M | apply Z.pow_nonneg; lia] | exact E].
Qed.

Lemma power_ok up n f x k : (0 <= n)%Z -> 0 <= x -> safely up n x f -> safely up n (x ^ Pos.to_nat k) (power up n f k).
Proof.
  intros Hn Hx F. induction k as [k IH|k IH|]; cbn [power]; [| | now rewrite pow_1].
  - rewrite Pos2Nat.inj_xI. simpl pow. rewrite Nat.add_0_r, pow_add. apply product_ok; auto; [|apply product_ok; auto using pow_le].
    apply Rmult_le_pos; now apply pow_le.
  - rewrite Pos2Nat.inj_xO. simpl Nat.mul. rewrite Nat.add_0_r, pow_add. apply product_ok; auto using pow_le.
Qed.

(** In units of 2^-n. *)
Definition fixed (up : bool) (n : Z) (f : Z * Z) : Z := trim up (snd f - n) (fst f).

Lemma fixed_ok up n f x : (0 <= n)%Z -> safely up n x f -> (0 <= fixed up n f)%Z /\ safe up x (units n (fixed up n f)).
Proof.
  intros Hn (S & A & X). destruct (@trim_ok up (snd f) (snd f - n) (fst f) x) as [T0 T]; [lia | exact A | exact X|].
  replace (snd f - (snd f - n))%Z with n in T by ring. now split.
Qed.

Lemma safely_coarser up n p x f : (n <= p)%Z -> safely up p x f -> safely up n x f.
Proof. intros H (S & A & X). repeat split; [lia | exact A | exact X]. Qed.

(** ** exp(-y): one over Taylor's sum at y/2^j, and a power *)
Definition fall (up : bool) (n : Z) (y : Q) : Z * Z :=
  let j := (halvings y + 4)%nat in let p := (n + Z.of_nat j + 8)%Z in let u := (2 ^ p)%Z in let k := Z.to_nat (p / 12 + 4) in
  let z := (Qnum y * 2 ^ (n + 8) / Zpos (Qden y))%Z in
  if Z.leb (2 * (z + 1)) u then
    let e := if up then Z.max u (horner_below p u z k u) else horner_above p u (z + 1) k (2 * u) in
    power up p ((if up then u * u / e + 1 else u * u / e)%Z, p) (Z.to_pos (2 ^ Z.of_nat j))
  else (if up then 2 ^ n else 0, n)%Z.

(** Beyond [limit] it is as at [limit] from above, and 0 from below. *)
Definition falling (up : bool) (n : Z) (y : Q) : Z * Z :=
  if Qle_bool y 0 then (2 ^ n, n)%Z else if Qle_bool y limit then fall up n y else if up then fall up n limit else (0, n)%Z.

Lemma exp_pow x n : exp x ^ n = exp (INR n * x).
Proof.
  induction n as [|n IH]; [simpl; now rewrite Rmult_0_l, exp_0|]. rewrite S_INR, <- tech_pow_Rmult, IH, <- exp_plus. f_equal. ring.
Qed.

Lemma fall_ok up n y : (0 <= n)%Z -> 0 < Q2R y -> safely up n (exp (- Q2R y)) (fall up n y).
Proof.
  intros Hn Hy. assert (Y : exp (- Q2R y) <= 1) by (rewrite <- exp_0; left; apply exp_increasing; lra). pose proof (exp_pos (- Q2R y)) as Y0.
  unfold fall. set (j := (halvings y + 4)%nat). set (p := (n + Z.of_nat j + 8)%Z). set (u := (2 ^ p)%Z). set (k := Z.to_nat (p / 12 + 4)).
  set (z := (Qnum y * 2 ^ (n + 8) / Zpos (Qden y))%Z). assert (Hp : (0 <= p)%Z) by (unfold p; lia). pose proof (U_pos Hp) as HU. fold u in HU.
  destruct (Z.leb_spec (2 * (z + 1)) u) as [L|_].
  2: { unfold safely, value; simpl. repeat split; [lia | destruct up; [apply Z.pow_nonneg|]; lia|].
       destruct up; simpl; [rewrite units_one by exact Hn; exact Y | unfold units, Rdiv; rewrite Rmult_0_l; lra]. }
  assert (P : 0 < 2 ^ j) by (apply pow_lt; lra). set (r := Q2R y * / 2 ^ j).
  assert (r0 : 0 <= r) by (apply Rmult_le_pos; [lra | left; now apply Rinv_0_lt_compat]).
  assert (Sc : IZR (Qnum y * 2 ^ (n + 8)) / IZR (Zpos (Qden y)) = r * IZR u).
  { unfold r, u. replace p with (n + 8 + Z.of_nat j)%Z by (unfold p; ring). rewrite (Z.pow_add_r 2 (n + 8)), !mult_IZR, two_pow by lia.
    unfold Q2R. field.
    split; [lra | apply not_0_IZR; lia]. }
  pose proof (@div_R (Qnum y * 2 ^ (n + 8)) (Zpos (Qden y)) ltac:(lia)) as [D1 D2]. fold z in D1, D2. rewrite Sc in D1, D2.
  assert (z0 : (0 <= z)%Z) by (apply Z.lt_succ_r, lt_IZR; rewrite succ_IZR; assert (0 <= r * IZR u) by (apply Rmult_le_pos; lra); lra).
  apply IZR_le in L. rewrite mult_IZR, plus_IZR in L. pose proof (exp_pos r) as Er.
  replace (exp (- Q2R y)) with (exp (- r) ^ Pos.to_nat (Z.to_pos (2 ^ Z.of_nat j))).
  2: { rewrite exp_pow, INR_IZR_INZ, positive_nat_Z, Z2Pos.id by (apply Z.pow_pos_nonneg; lia). rewrite two_pow. f_equal. unfold r. field. lra. }
  apply safely_coarser with p; [unfold p; lia|]. apply power_ok; [exact Hp | left; apply exp_pos|].
  unfold safely, value; cbn [fst snd]. split; [lia|]. rewrite exp_Ropp. unfold units. fold u.
  assert (R : forall e, (0 < e)%Z -> (0 <= u * u / e)%Z /\ IZR (u * u / e) / IZR u <= / (IZR e / IZR u) < IZR (u * u / e + 1) / IZR u).
  { intros e He. apply IZR_lt in He as E. pose proof (@div_R (u * u) e He) as [Q1 Q2]. rewrite mult_IZR in Q1, Q2.
    replace (/ (IZR e / IZR u)) with (IZR u * IZR u / IZR e / IZR u) by (field; lra). rewrite plus_IZR.
    assert (0 < / IZR u) by now apply Rinv_0_lt_compat. split; [apply Z.div_pos; nia|].
    split; [apply Rmult_le_compat_r | apply Rmult_lt_compat_r]; lra. }
  assert (u0 : (0 < u)%Z) by now apply lt_IZR. assert (E1 : IZR u / IZR u <= exp r).
  { replace (IZR u / IZR u) with 1 by (field; lra). rewrite <- exp_0. destruct r0 as [r0| <-]; [left; now apply exp_increasing | lra]. }
  destruct up; simpl safe.
  - set (e := Z.max u (horner_below p u z k u)). destruct (R e ltac:(lia)) as (R0 & _ & R2). split; [lia|]. left; eapply Rle_lt_trans; [|exact R2].
    apply Rinv_le_contravar; [apply Rdiv_lt_0_compat; [apply IZR_lt; lia | exact HU]|].
    unfold e. destruct (Z.max_spec u (horner_below p u z k u)) as [[_ ->]|[_ ->]]; [|exact E1].
    apply (@horner_below_ok p r z Hp k); [split; [now apply IZR_le | exact D1] | apply Z.pow_nonneg; lia|].
    fold u. replace (IZR u / IZR u) with 1 by (field; lra). rewrite Rmult_1_r. exact (taylor_below (S k) r0).
  - set (e := horner_above p u (z + 1) k (2 * u)). assert (H : exp r <= IZR e / IZR u).
    { apply (@horner_above_ok p r (z + 1)%Z Hp k r0); [rewrite plus_IZR; left; exact D2 | fold u; lia|].
      fold u. rewrite mult_IZR. replace (2 * IZR u / IZR u) with 2 by (field; lra). rewrite (Rmult_comm _ 2).
      apply taylor_above. split; [exact r0|]. apply Rmult_le_reg_r with (IZR u); [exact HU | lra]. }
    assert (e0 : 0 < IZR e) by (apply Rmult_lt_reg_r with (/ IZR u); [now apply Rinv_0_lt_compat | unfold Rdiv in H; lra]).
    destruct (R e (lt_IZR 0 e e0)) as (R0 & R1 & _). split; [exact R0|]. eapply Rle_trans; [exact R1|]. now apply Rinv_le_contravar.
Qed.

Theorem falling_ok up n y : (0 <= n)%Z -> (up = true -> 0 <= Q2R y) -> safely up n (exp (- Q2R y)) (falling up n y).
Proof.
  intros Hn Hy. unfold falling. assert (N : (0 <= 2 ^ n)%Z) by (apply Z.pow_nonneg; lia).
  destruct (Qle_bool y 0) eqn:E; [apply Qle_R in E | apply Qgt_R in E]; rewrite Q2R_0 in E.
  - unfold safely, value; cbn [fst snd]. rewrite units_one by exact Hn. split; [lia|]. split; [exact N|]. rewrite <- exp_0.
    destruct up; simpl; [replace (- Q2R y) with 0 by (specialize (Hy eq_refl); lra) | apply exp_le]; lra.
  - destruct (Qle_bool y limit) eqn:F; [now apply fall_ok|]. apply Qgt_R in F.
    assert (L : 0 < Q2R limit) by (rewrite <- Q2R_0; apply Qlt_Rlt; reflexivity). destruct up.
    + destruct (@fall_ok true n limit Hn L) as (S & A & X). repeat split; [exact S | exact A|]. eapply Rle_trans; [|exact X]. apply exp_le. lra.
    + unfold safely, value, units; simpl. repeat split; [lia | lia | unfold Rdiv; rewrite Rmult_0_l; left; apply exp_pos].
Qed.

(** In units of 2^-n. *)
Definition exp_minus (up : bool) (n : Z) (y : Q) : Z := fixed up n (falling up n y).

Lemma exp_minus_ok up n y : (0 <= n)%Z -> (up = true -> 0 <= Q2R y) ->
  (0 <= exp_minus up n y)%Z /\ safe up (exp (- Q2R y)) (units n (exp_minus up n y)).
Proof. intros Hn Hy. apply (fixed_ok Hn (falling_ok Hn Hy)). Qed.
Lemma exp_minus_below n y : (0 <= n)%Z -> (0 <= exp_minus false n y)%Z /\ units n (exp_minus false n y) <= exp (- Q2R y).
Proof. intros Hn. exact (@exp_minus_ok false n y Hn ltac:(discriminate)). Qed.
Lemma exp_minus_above n y : (0 <= n)%Z -> 0 <= Q2R y -> (0 <= exp_minus true n y)%Z /\ exp (- Q2R y) <= units n (exp_minus true n y).
Proof. intros Hn Hy. exact (@exp_minus_ok true n y Hn (fun _ => Hy)). Qed.

(** What is done so often can be counted in [nat]. *)
Lemma iter_nat A (f : A -> A) I x : Z.iter (Z.of_nat I) f x = Nat.iter I f x.
Proof. destruct I as [|I]; [reflexivity|]. simpl Z.of_nat. unfold Z.iter. now rewrite Pos2Nat.inj_iter, SuccNat2Pos.id_succ. Qed.
