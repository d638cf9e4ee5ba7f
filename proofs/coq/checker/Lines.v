(** * From a profile to a trade-off curve

    Each point (eps, delta) of a profile gives two lines that the curve lies above: beta is at least [1 - delta - e^eps alpha] and
    [e^-eps (1 - delta - alpha)]. Of those of some points the highest is taken, from below. *)
From Coq Require Import ZArith QArith Qreals Reals Lra Lia Psatz List.
From DPcore Require Import Distributions Indistinguishability Measures Conversions.
From DPchecker Require Import Json Language Numbers Exponentials Losses Rounding Points Mixed Highest Slopes.
Import ListNotations.
Open Scope R_scope.
Set Implicit Arguments.

(** The lines of one point: a number above e^eps, and delta. *)
Definition lines : Type := Q * Q.
Definition lines_at (md : mode) (x : Q) (l : lines) : Q :=
  let t := minus 1 (snd l) in short_below md (Qmax (minus t (fst l * x)) (minus t x / fst l)).

(** Rough bounds of both. *)
Definition slopes_of (n : Z) (l : lines) : slope * slope :=
  let (u, delta) := l in let t := minus 1 delta in
  (slope_of n t u, slope_of n (rounded_up n (Qmax0 t) / rounded_down n u) (1 / rounded_up n u))%Q.
Definition join (a b : slope * slope) := (over_both (fst a) (fst b), over_both (snd a) (snd b)).
Definition at_heights (n w : Z) (b : slope * slope) : Z := Z.max (at_height n w (fst b)) (at_height n w (snd b)).

Definition hedge (md : mode) (ls : list lines) : list (tree lines (slope * slope)) := planted (slopes_of (units md)) join ls.
Definition beta (md : mode) (ts : list (tree lines (slope * slope))) (x : Q) : Q :=
  let n := units md in if Qle_bool 0 x then highest (slopes_of n) n (at_heights n (floor_of n x)) (lines_at md x) 0 ts else 0%Q.
Definition advantage (x beta : Q) : Q := Qmax0 (minus (minus 1 x) beta).

Definition lines_of (p : Q * loss) : option lines :=
  let (eps, l) := p in let* _ := guard (Qle_bool 0 eps) in let* u := exp_up eps in Some (u, fst l).
Definition profile_to_tradeoff (md : mode) (epsilons : list Q) (ls : list loss) (xs : list Q) : option (list loss) :=
  let* lines := all_of lines_of (combine epsilons ls) in
  let ts := hedge md lines in Some (map (fun x => (advantage x (beta md ts x), 0%Q)) xs).

(** ** Soundness *)
Section Sound.
Variable md : mode.
Notation n := (units md).

Lemma lines_at_ok x u delta w : 0 <= Q2R x -> 1 <= w <= Q2R u ->
  let v := Q2R (lines_at md x (u, delta)) in v <= Rmax (1 - Q2R delta - w * Q2R x) (/ w * (1 - Q2R delta - Q2R x)) \/ v <= 0.
Proof.
  intros X [W U]. cbv zeta. unfold lines_at. cbn [fst snd]. set (t := minus 1 delta).
  assert (T : Q2R t = 1 - Q2R delta) by (unfold t; now rewrite minus_ok, Q2R_1).
  pose proof (short_below_ok md (Qmax (minus t (u * x)) (minus t x / u))) as S. rewrite Q2R_max, minus_ok, Q2R_mult, Q2R_div, minus_ok, T in S by (apply Qnonzero_R; lra).
  destruct (Rle_dec (1 - Q2R delta) (Q2R x)) as [N|N].
  - right. eapply Rle_trans; [exact S|]. apply Rmax_lub; [nra|]. assert (0 < / Q2R u) by (apply Rinv_0_lt_compat; lra). unfold Rdiv. nra.
  - left. eapply Rle_trans; [exact S|]. assert (/ Q2R u <= / w) by (apply Rinv_le_contravar; lra).
    apply Rmax_lub; [eapply Rle_trans; [|apply Rmax_l]; nra|]. eapply Rle_trans; [|apply Rmax_r]. unfold Rdiv. rewrite Rmult_comm.
    apply Rmult_le_compat_r; lra.
Qed.

Lemma slopes_of_ok x (l : lines) : 0 <= Q2R x -> 1 <= Q2R (fst l) ->
  Q2R (lines_at md x l) * IZR (2 ^ n) <= IZR (at_heights n (floor_of n x) (slopes_of n l)).
Proof.
  destruct l as [u delta]. cbn [fst]. intros X U. pose proof (units_nonneg md) as N. pose proof (U_pos N) as P. unfold at_heights, slopes_of, lines_at. cbv zeta.
  cbn [fst snd]. set (t := minus 1 delta). set (d := rounded_down n u). set (c := rounded_up n u).
  assert (D1 : 1 <= Q2R d) by now apply rounded_down_ge_1. assert (D2 : Q2R d <= Q2R u) by apply rounded_down_ok.
  assert (C : Q2R u <= Q2R c) by apply rounded_up_ok. pose proof (rounded_up_ok n (Qmax0 t)) as T. unfold Qmax0 in T at 1. rewrite Q2R_max, Q2R_0 in T.
  eapply Rle_trans; [apply Rmult_le_compat_r; [lra | apply short_below_ok]|]. rewrite Q2R_max, minus_ok, Q2R_mult, Q2R_div, minus_ok by (apply Qnonzero_R; lra).
  assert (I1 : 0 <= Q2R (1 / c)) by (rewrite Q2R_div, Q2R_1 by (apply Qnonzero_R; lra); apply Rdiv_nonneg; lra).
  pose proof (@slope_over n N t u x ltac:(lra) X) as S1.
  pose proof (@slope_over n N (rounded_up n (Qmax0 t) / d)%Q (1 / c)%Q x I1 X) as S2.
  rewrite !Q2R_div, Q2R_1 in S2 by (apply Qnonzero_R; lra).
  assert (B : (Q2R t - Q2R x) / Q2R u <= Q2R (rounded_up n (Qmax0 t)) / Q2R d - 1 / Q2R c * Q2R x).
  { set (r := Q2R (rounded_up n (Qmax0 t))) in *. pose proof (Rmax_l 0 (Q2R t)). pose proof (Rmax_r 0 (Q2R t)).
    assert (/ Q2R c <= / Q2R u) by (apply Rinv_le_contravar; lra). assert (/ Q2R u <= / Q2R d) by (apply Rinv_le_contravar; lra).
    assert (0 < / Q2R u) by (apply Rinv_0_lt_compat; lra). unfold Rdiv. rewrite Rmult_1_l.
    assert (Q2R t * / Q2R u <= r * / Q2R u) by (apply Rmult_le_compat_r; lra). assert (r * / Q2R u <= r * / Q2R d) by (apply Rmult_le_compat_l; lra).
    assert (/ Q2R c * Q2R x <= / Q2R u * Q2R x) by (apply Rmult_le_compat_r; lra). lra. }
  destruct (Rle_dec (Q2R t - Q2R u * Q2R x) ((Q2R t - Q2R x) / Q2R u)) as [L|L].
  - rewrite Rmax_right by exact L. eapply Rle_trans; [|apply IZR_le, Z.le_max_r]. eapply Rle_trans; [|exact S2]. apply Rmult_le_compat_r; lra.
  - rewrite Rmax_left by lra. eapply Rle_trans; [|apply IZR_le, Z.le_max_l]. exact S1.
Qed.

Lemma join_ok w a b : (0 <= w)%Z -> (at_heights n w a <= at_heights n w (join a b))%Z /\ (at_heights n w b <= at_heights n w (join a b))%Z.
Proof.
  intros W. unfold at_heights, join. cbn [fst snd]. pose proof (units_nonneg md) as N.
  destruct (@over_both_ok n N w (fst a) (fst b) W), (@over_both_ok n N w (snd a) (snd b) W). lia.
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

Lemma beta_ok A (P Q : dist A) ls x f : Forall (tangent P Q) ls -> test f -> P f <= Q2R x ->
  Q2R (beta md (hedge md ls) x) <= 0 \/ Q2R (beta md (hedge md ls) x) <= 1 - Q f.
Proof.
  intros T F H. pose proof (expect_test P F) as [P0 _]. unfold beta. cbv zeta.
  destruct (Qle_bool 0 x); [|left; rewrite Q2R_0; lra].
  assert (X : 0 <= Q2R x) by lra. pose proof (units_nonneg md) as N. pose proof (floor_of_nonneg N X) as W.
  assert (G : Forall (fun l => 1 <= Q2R (fst l)) ls).
  { revert T; apply Forall_impl. intros l (eps & E & U & _). pose proof (exp_ge_1 E). lra. }
  destruct (@highest_ok _ _ (slopes_of n) join n (at_heights n (floor_of n x)) (lines_at md x) N _ (fun l => slopes_of_ok l X)
    (fun a b => join_ok a b W) 0%Q ls G) as (_ & _ & [E|(l & J & E)]); fold (hedge md ls) in E; rewrite E; [left; rewrite Q2R_0; lra|].
  rewrite Forall_forall in T. exact (tangent_ok (T l J) F H).
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
