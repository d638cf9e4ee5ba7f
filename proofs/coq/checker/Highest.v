(** * The highest of many values, most of which need not be worked out

    Each value comes with a rough bound. Over neighbours in the list stands a bound of all of them, so that many are passed over
    at once. What comes out is the highest exactly; how it was found is of no matter. *)
From Coq Require Import ZArith QArith Qreals Reals Lra Lia List.
From DPchecker Require Import Numbers Exponentials Rounding.
Import ListNotations.
Open Scope R_scope.
Set Implicit Arguments.

Section Tree.
Variables (A B : Type) (bound_of : A -> B) (join : B -> B -> B).

Inductive tree := Leaf (b : B) (a : A) | Fork (b : B) (l r : tree).
Definition bound (t : tree) : B := match t with Leaf b _ | Fork b _ _ => b end.
Definition leaf (a : A) : tree := Leaf (bound_of a) a.
Definition fork (l r : tree) : tree := Fork (join (bound l) (bound r)) l r.

Fixpoint neighbours (ts : list tree) : list tree := match ts with l :: r :: ts => fork l r :: neighbours ts | ts => ts end.
Fixpoint grown (fuel : nat) (ts : list tree) : list tree := match fuel with O => ts | S fuel => grown fuel (neighbours ts) end.
(** One tree, or some where there are more than 2^20. *)
Definition planted (l : list A) : list tree := grown 20 (map leaf l).

Fixpoint leaves (t : tree) : list A := match t with Leaf _ a => [a] | Fork _ l r => leaves l ++ leaves r end.

Lemma leaves_planted l a : In a l <-> exists t, In t (planted l) /\ In a (leaves t).
Proof.
  assert (N : forall n ts, (length ts <= n)%nat -> (exists t, In t ts /\ In a (leaves t)) <-> (exists t, In t (neighbours ts) /\ In a (leaves t))).
  { induction n as [|n IH]; intros [|x [|y ts]] L; simpl in L; try lia; try (simpl; tauto). specialize (IH ts ltac:(lia)).
    split; intros (t & J & K).
    - destruct J as [->|[->|J]]; [exists (fork t y) | exists (fork x t) |]; try (split; [now left | simpl; apply in_or_app; tauto]).
      destruct (proj1 IH (ex_intro _ t (conj J K))) as (s & S & Ks). exists s; split; [now right | exact Ks].
    - destruct J as [<-|J].
      + simpl in K. apply in_app_or in K. destruct K as [K|K]; [exists x | exists y]; simpl; tauto.
      + destruct (proj2 IH (ex_intro _ t (conj J K))) as (s & S & Ks). exists s; split; [right; now right | exact Ks]. }
  assert (G : forall fuel ts, (exists t, In t ts /\ In a (leaves t)) <-> (exists t, In t (grown fuel ts) /\ In a (leaves t))).
  { induction fuel as [|fuel IH]; intros ts; [simpl; tauto|]. simpl. rewrite <- IH. now apply (N (length ts)). }
  unfold planted. rewrite <- G. split.
  - intros J. exists (leaf a). split; [now apply in_map | now left].
  - intros (t & J & K). apply in_map_iff in J. destruct J as (b & <- & J). simpl in K. destruct K as [->|[]]. exact J.
Qed.

(** ** Looking for the highest

    [over] is a bound in units of 2^-n, [exact] the value. *)
Section Search.
Variables (n : Z) (over : B -> Z) (exact : A -> Q).

(** By the bounds alone: where it may be. *)
Fixpoint guess (t : tree) (best : Z * A) : Z * A :=
  let h := over (bound t) in
  if Z.leb h (fst best) then best else match t with Leaf _ a => (h, a) | Fork _ l r => guess l (guess r best) end.

Definition floor_of (q : Q) : Z := divided (Z.shiftl (Qnum q) n) (Qden q).
Definition found (q : Q) : Q * Z := (q, floor_of q).
Fixpoint climb (t : tree) (best : Q * Z) : Q * Z :=
  if Z.leb (over (bound t)) (snd best) then best
  else match t with
       | Leaf _ a => let v := exact a in if no_larger v (fst best) then best else found v
       | Fork _ l r => climb l (climb r best)
       end.

Fixpoint first (t : tree) : A := match t with Leaf _ a => a | Fork _ l _ => first l end.

(** At least [least]. *)
Definition highest (least : Q) (ts : list tree) : Q :=
  match ts with
  | [] => least
  | t :: _ =>
      let a := snd (fold_left (fun best t => guess t best) ts (over (bound_of (first t)), first t)) in
      fst (fold_left (fun best t => climb t best) ts (found (Qmax least (exact a))))
  end.

Hypothesis n_nonneg : (0 <= n)%Z.
Variable good : A -> Prop.
Hypothesis over_exact : forall a, good a -> Q2R (exact a) * IZR (2 ^ n) <= IZR (over (bound_of a)).
Hypothesis over_join : forall b c, (over b <= over (join b c))%Z /\ (over c <= over (join b c))%Z.

Inductive well : tree -> Prop :=
| well_leaf a : good a -> well (leaf a)
| well_fork l r : well l -> well r -> well (fork l r).

Lemma planted_well l : Forall good l -> Forall well (planted l).
Proof.
  intros Gl.
  assert (N : forall k ts, (length ts <= k)%nat -> Forall well ts -> Forall well (neighbours ts)).
  { induction k as [|k IH]; intros [|x [|y ts]] L W; simpl in L; try lia; auto. simpl. inversion W as [|? ? Wx W']; inversion W' as [|? ? Wy W'']; subst.
    constructor; [now constructor | apply IH; [lia | assumption]]. }
  assert (G : forall fuel ts, Forall well ts -> Forall well (grown fuel ts)).
  { induction fuel as [|fuel IH]; intros ts W; [exact W|]. apply IH. now apply (N (length ts)). }
  apply G, Forall_map. revert Gl; apply Forall_impl, well_leaf.
Qed.

Lemma well_bound t a : well t -> In a (leaves t) -> Q2R (exact a) * IZR (2 ^ n) <= IZR (over (bound t)).
Proof.
  induction 1 as [b Gb|l r _ IHl _ IHr]; simpl; [intros [->|[]]; now apply over_exact|]. intros J. apply in_app_or in J.
  destruct (over_join (bound l) (bound r)) as [L R]. apply IZR_le in L, R. destruct J as [J|J]; [specialize (IHl J) | specialize (IHr J)]; lra.
Qed.

Lemma floor_of_ok q : IZR (floor_of q) <= Q2R q * IZR (2 ^ n).
Proof.
  unfold floor_of. rewrite divided_ok, Z.shiftl_mul_pow2 by exact n_nonneg.
  pose proof (@div_R (Qnum q * 2 ^ n) (Zpos (Qden q)) ltac:(lia)) as [D _]. rewrite mult_IZR in D. unfold Q2R. unfold Rdiv in D. lra.
Qed.

Lemma Rle_scaled x y : x * IZR (2 ^ n) <= y * IZR (2 ^ n) -> x <= y.
Proof. apply Rmult_le_reg_r, U_pos, n_nonneg. Qed.

Lemma climb_eq t best : climb t best = if Z.leb (over (bound t)) (snd best) then best else match t with
  | Leaf _ a => let v := exact a in if no_larger v (fst best) then best else found v | Fork _ l r => climb l (climb r best) end.
Proof. destruct t; reflexivity. Qed.

Lemma climb_ok t : well t -> forall best, IZR (snd best) <= Q2R (fst best) * IZR (2 ^ n) ->
  let new := climb t best in IZR (snd new) <= Q2R (fst new) * IZR (2 ^ n) /\ Q2R (fst best) <= Q2R (fst new) /\
  (forall a, In a (leaves t) -> Q2R (exact a) <= Q2R (fst new)) /\ (fst new = fst best \/ exists a, In a (leaves t) /\ fst new = exact a).
Proof.
  induction 1 as [b Gb|l r Wl IHl Wr IHr]; intros best F; rewrite climb_eq.
  - destruct (Z.leb _ _) eqn:E.
    + apply Z.leb_le, IZR_le in E. cbv zeta. repeat split; auto; try lra. intros a J. apply Rle_scaled. pose proof (@well_bound _ a (well_leaf Gb) J). lra.
    + cbn [leaf]. cbv zeta. destruct (no_larger (exact b) (fst best)) eqn:G.
      * apply no_larger_R in G. repeat split; auto; try lra. simpl. intros a [->|[]]. exact G.
      * apply larger_R in G. cbn [found fst snd leaves]. split; [apply floor_of_ok|]. split; [lra|]. split; [intros a [->|[]]; lra|]. right; exists b; simpl; auto.
  - destruct (Z.leb _ _) eqn:E.
    + apply Z.leb_le, IZR_le in E. cbv zeta. repeat split; auto; try lra. intros a J. apply Rle_scaled. pose proof (@well_bound _ a (well_fork Wl Wr) J). lra.
    + cbn [fork]. destruct (IHr best F) as (F1 & M1 & A1 & C1). destruct (IHl _ F1) as (F2 & M2 & A2 & C2). cbv zeta. split; [exact F2|].
      split; [lra|]. simpl leaves. split.
      * intros a J. apply in_app_or in J. destruct J as [J|J]; [now apply A2 | specialize (A1 a J); lra].
      * destruct C2 as [->|(a & J & ->)]; [|right; exists a; split; [apply in_or_app; now left | reflexivity]].
        destruct C1 as [->|(a & J & ->)]; [now left | right; exists a; split; [apply in_or_app; now right | reflexivity]].
Qed.

Lemma guess_ok t : forall best, snd (guess t best) = snd best \/ In (snd (guess t best)) (leaves t).
Proof.
  induction t as [b a|b l IHl r IHr]; intros best; cbn [guess]; cbv zeta; destruct (Z.leb _ _); auto.
  - right; now left.
  - destruct (IHl (guess r best)) as [->|J]; [|right; apply in_or_app; now left].
    destruct (IHr best) as [->|J]; [now left | right; apply in_or_app; now right].
Qed.
Lemma first_leaf t : In (first t) (leaves t).
Proof. induction t as [b a|b l IHl r _]; simpl; [now left | apply in_or_app; now left]. Qed.

Theorem highest_ok least l : Forall good l -> let h := highest least (planted l) in
  Q2R least <= Q2R h /\ (forall a, In a l -> Q2R (exact a) <= Q2R h) /\ (h = least \/ exists a, In a l /\ h = exact a).
Proof.
  intros Gl. pose proof (planted_well Gl) as W. pose proof (leaves_planted l) as L. set (ts := planted l) in *. clearbody ts. unfold highest.
  destruct ts as [|t0 ts0] eqn:E.
  - simpl. split; [lra|]. split; [|now left]. intros a J. apply L in J. destruct J as (t & [] & _).
  - rewrite <- E in *. set (a := snd (fold_left _ ts _)).
    assert (G : exists t, In t ts /\ In a (leaves t)).
    { assert (H : forall us best, incl us ts -> (exists t, In t ts /\ In (snd best) (leaves t)) ->
        exists t, In t ts /\ In (snd (fold_left (fun best t => guess t best) us best)) (leaves t)).
      { induction us as [|u us IH]; intros best U H; [exact H|]. simpl. apply IH; [intros t J; apply U; now right|].
        destruct (guess_ok u best) as [->|J]; [exact H|]. exists u. split; [apply U; now left | exact J]. }
      apply H; [apply incl_refl|]. exists t0. split; [rewrite E; now left | apply first_leaf]. }
    apply L in G. set (q := Qmax least (exact a)).
    assert (H : forall us best, Forall well us -> IZR (snd best) <= Q2R (fst best) * IZR (2 ^ n) ->
      let new := fold_left (fun best t => climb t best) us best in Q2R (fst best) <= Q2R (fst new) /\
      (forall t a, In t us -> In a (leaves t) -> Q2R (exact a) <= Q2R (fst new)) /\
      (fst new = fst best \/ exists t a, In t us /\ In a (leaves t) /\ fst new = exact a)).
    { induction us as [|u us IH]; intros best V F; simpl; [split; [lra|]; split; [tauto | now left]|].
      inversion V; subst. destruct (climb_ok H1 best F) as (F1 & M1 & A1 & C1). destruct (IH _ H2 F1) as (M2 & A2 & C2).
      split; [lra|]. split.
      - intros t b [->|J] K; [specialize (A1 b K); lra | exact (A2 t b J K)].
      - destruct C2 as [->|(t & b & J & K & ->)]; [|right; exists t, b; auto].
        destruct C1 as [->|(b & J & ->)]; [now left | right; exists u, b; auto]. }
    destruct (H ts (found q) W (floor_of_ok q)) as (M & Ma & C). cbn [found fst] in *.
    assert (Q0 : Q2R least <= Q2R q) by (unfold q; rewrite Q2R_max; apply Rmax_l). split; [lra|]. split.
    + intros b J. apply L in J. destruct J as (t & J & K). exact (Ma t b J K).
    + destruct C as [->|(t & b & J & K & ->)].
      * unfold q, Qmax. destruct (Qle_bool least (exact a)); [right; exists a; auto | now left].
      * right. exists b. split; [apply L; exists t; auto | reflexivity].
Qed.
End Search.
End Tree.
