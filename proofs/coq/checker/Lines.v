(** * From a profile to a trade-off curve

    Each point (eps, delta) of a profile gives two lines that the curve lies above: beta is at least [1 - delta - e^eps alpha] and
    [e^-eps (1 - delta - alpha)]. Of those of some points the highest is taken, from below. *)
From Coq Require Import ZArith QArith Qreals Reals Lra Lia Psatz List.
From DPcore Require Import Distributions Indistinguishability Measures Conversions.
From DPchecker Require Import Json Language Numbers Exponentials Losses Rounding Points Mixed Highest Hull.
Import ListNotations.
Open Scope R_scope.
Set Implicit Arguments.

(** The lines of one point: a number above e^eps, and delta. They cross where [alpha (1 + e^eps)] is [1 - delta]. *)
Definition lines : Type := Q * Q.
Definition lines_at (md : mode) (x : Q) (l : lines) : Q :=
  let t := minus 1 (snd l) in let y := (fst l * x)%Q in
  short_below md (if Z.leb (floor_of digits (plus x y)) (floor_of digits t) then minus t y else minus t x / fst l)%Q.

(** Of many the one that is about the highest at a point: steep ones first, of the second kind the flattest last. In units
    of 2^-n, more for small claims. *)
Definition hull_bits (md : mode) : Z := (88 + units md)%Z.
Definition steep (n : Z) (l : lines) : line lines := {| height := floor_of n (minus 1 (snd l)); fall := floor_of n (fst l); what := l |}.
Definition flat (n : Z) (s : line lines) : line lines :=
  let w := (Z.shiftl 1 (2 * n) / fall s)%Z in {| height := Z.shiftr (height s * w) n; fall := w; what := what s |}.
Definition hull_of (n : Z) (ls : list lines) : list (Z * line lines) :=
  let up := in_order (@fall _) (map (steep n) ls) in hull n (rev_append up (map (flat n) up)).

Definition beta (md : mode) (h : list (Z * line lines)) (x : Q) : Q :=
  match highest_at (floor_of (hull_bits md) x) h with Some l => Qmax0 (lines_at md x l) | None => 0%Q end.
Definition advantage (x beta : Q) : Q := Qmax0 (minus (minus 1 x) beta).

Definition lines_of (p : Q * loss) : option lines :=
  let (eps, l) := p in let* _ := guard (Qle_bool 0 eps) in let* u := exp_up eps in Some (u, fst l).
Definition profile_to_tradeoff (md : mode) (epsilons : list Q) (ls : list loss) (xs : list Q) : option (list loss) :=
  let* lines := all_of lines_of (combine epsilons ls) in
  let h := hull_of (hull_bits md) lines in Some (map (fun x => (advantage x (beta md h x), 0%Q)) xs).

(** ** Soundness *)
Section Sound.
Variable md : mode.

Lemma lines_at_le x (l : lines) : 0 < Q2R (fst l) ->
  Q2R (lines_at md x l) <= Rmax (1 - Q2R (snd l) - Q2R (fst l) * Q2R x) ((1 - Q2R (snd l) - Q2R x) / Q2R (fst l)).
Proof.
  intros U. unfold lines_at. cbv zeta. eapply Rle_trans; [apply short_below_ok|].
  destruct (Z.leb _ _); rewrite ?Q2R_div, !minus_ok, ?Q2R_mult, Q2R_1 by (apply Qnonzero_R; lra); [apply Rmax_l | apply Rmax_r].
Qed.

Lemma lines_at_ok x u delta w : 0 <= Q2R x -> 1 <= w <= Q2R u ->
  let v := Q2R (lines_at md x (u, delta)) in v <= Rmax (1 - Q2R delta - w * Q2R x) (/ w * (1 - Q2R delta - Q2R x)) \/ v <= 0.
Proof.
  intros X [W U]. pose proof (lines_at_le x (u, delta) ltac:(simpl; lra)) as S. cbv zeta in *. cbn [fst snd] in S. set (v := Q2R (lines_at md x (u, delta))) in *.
  destruct (Rle_dec (1 - Q2R delta) (Q2R x)) as [N|N].
  - right. eapply Rle_trans; [exact S|]. apply Rmax_lub; [nra|]. assert (0 < / Q2R u) by (apply Rinv_0_lt_compat; lra). unfold Rdiv. nra.
  - left. eapply Rle_trans; [exact S|]. assert (/ Q2R u <= / w) by (apply Rinv_le_contravar; lra).
    apply Rmax_lub; [eapply Rle_trans; [|apply Rmax_l]; nra|]. eapply Rle_trans; [|apply Rmax_r]. unfold Rdiv. rewrite Rmult_comm.
    apply Rmult_le_compat_r; lra.
Qed.

(** What is known of lines: a point of the profile, for both orders of two distributions. *)
Definition tangent A (P Q : dist A) (l : lines) : Prop :=
  exists eps, 0 <= eps /\ exp eps <= Q2R (fst l) /\ ind P Q eps (Q2R (snd l)) /\ ind Q P eps (Q2R (snd l)).

Lemma tangent_ok A (P Q : dist A) l x f : tangent P Q l -> test f -> P f <= Q2R x ->
  Q2R (lines_at md x l) <= 0 \/ Q2R (lines_at md x l) <= 1 - Q f.
Proof.
  intros (eps & E0 & U & H1 & H2) F K. pose proof (expect_test P F) as [P0 _]. destruct l as [u delta]. cbn [fst snd] in *.
  destruct (@lines_at_ok x u delta (exp eps) ltac:(lra) (conj (exp_ge_1 E0) U)) as [L|L]; [right | now left].
  eapply Rle_trans; [exact L|]. pose proof (ind_two_lines H1 H2 F) as B. unfold two_lines in B. rewrite exp_Ropp in B.
  eapply Rle_trans; [|exact B]. eapply Rle_trans; [|apply Rmax_r]. pose proof (exp_pos eps). pose proof (Rinv_0_lt_compat _ H).
  apply Rmax_lub; [eapply Rle_trans; [|apply Rmax_l] | eapply Rle_trans; [|apply Rmax_r]]; nra.
Qed.

Lemma hull_of_good (P : lines -> Prop) n ls : Forall P ls -> Forall (fun s : Z * line lines => P (what (snd s))) (hull_of n ls).
Proof.
  intros F. unfold hull_of. set (up := in_order _ _).
  assert (U : Forall (fun s : line lines => P (what s)) up) by (apply in_order_good, Forall_map; exact F).
  apply (hull_good n P). rewrite rev_append_rev. apply Forall_app. split; [apply Forall_rev, U|]. apply Forall_map. exact U.
Qed.

Lemma beta_ok A (P Q : dist A) ls x f : Forall (tangent P Q) ls -> test f -> P f <= Q2R x ->
  let b := beta md (hull_of (hull_bits md) ls) x in Q2R b <= 0 \/ Q2R b <= 1 - Q f.
Proof.
  cbv zeta. intros T F H. pose proof (expect_test Q F) as Qf. unfold beta. destruct (highest_at _ _) as [l|] eqn:E; [|left; rewrite Q2R_0; lra].
  pose proof (@highest_at_good _ (tangent P Q) _ _ _ (hull_of_good _ T) E) as L. unfold Qmax0. rewrite Q2R_max, Q2R_0.
  destruct (tangent_ok L F H); [left | right]; apply Rmax_lub; lra.
Qed.

Lemma advantage_ok A (P Q : dist A) x b : (forall f, test f -> P f <= Q2R x -> Q2R b <= 0 \/ Q2R b <= 1 - Q f) ->
  meets MTradeoff (Q2R x) P Q (Q2R (advantage x b)).
Proof.
  intros H f F K. pose proof (expect_test Q F). unfold advantage, Qmax0. rewrite Q2R_max, !minus_ok, Q2R_1, Q2R_0.
  pose proof (Rmax_r 0 (1 - Q2R x - Q2R b)). destruct (H f F K); lra.
Qed.
Lemma advantage_nonneg x b : 0 <= Q2R (advantage x b).
Proof. unfold advantage, Qmax0. rewrite Q2R_max, Q2R_0. apply Rmax_l. Qed.

Theorem profile_to_tradeoff_ok A (P Q : dist A) epsilons ls xs ks : profile_to_tradeoff md epsilons ls xs = Some ks ->
  Forall nonneg_loss ks /\ length xs = length ks /\
  (Forall2 (fun e l => meets MProfile (Q2R e) P Q (Q2R (fst l))) epsilons ls -> Forall2 (fun e l => meets MProfile (Q2R e) Q P (Q2R (fst l))) epsilons ls ->
    Forall2 (fun x k => meets MTradeoff (Q2R x) P Q (Q2R (fst k))) xs ks).
Proof.
  unfold profile_to_tradeoff, bind_option. destruct (all_of lines_of _) as [lines|] eqn:E; [|discriminate]. cbv zeta. intros H; injection H as <-.
  split; [apply Forall_map, Forall_forall; intros; apply nonneg_figure, advantage_nonneg|]. split; [now rewrite map_length|]. intros H1 H2.
  assert (T : Forall (tangent P Q) lines).
  { apply all_of_ok in E. revert ls H1 H2 lines E. induction epsilons as [|e es IH]; intros ls H1 H2 lines E; inversion H1; inversion H2; subst.
    - simpl in E. inversion E; constructor.
    - simpl in E. inversion E as [|p l ps ks El Es]; subst. inversion H9; subst. constructor; [|eapply IH; eassumption].
      unfold lines_of, bind_option, guard in El. destruct (Qle_bool 0 e) eqn:Z; [|discriminate]. destruct (exp_up e) as [u|] eqn:U; [|discriminate].
      injection El as <-. apply Qle_R in Z. rewrite Q2R_0 in Z. exists (Q2R e). cbn [fst snd]. split; [exact Z|]. split; [now apply exp_up_ok|]. split; auto. }
  apply Forall2_map_r. clear -T. induction xs as [|x xs IH]; constructor; [|exact IH]. cbn [fst]. apply advantage_ok. intros f F K. exact (beta_ok T F K).
Qed.
End Sound.
